import type { UsageLine } from './admin'

export const MEASURES = {
  requests: 'Requests',
  input_tokens: 'Input tokens',
  cached_tokens: 'Cached input tokens',
  output_tokens: 'Output tokens',
  reasoning_tokens: 'Reasoning tokens',
} as const
export type Measure = keyof typeof MEASURES

const DAY_MS = 86_400_000

export const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** The days from the first to the last, both included. */
export function days(first: string, last: string): string[] {
  const all: string[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) all.push(dayOf(at))
  return all
}

/** The sum of each day, 0 where there was no use. */
export function byDay(lines: UsageLine[], measure: Measure, first: string, last: string): { day: string; value: number }[] {
  const sums = new Map<string, number>()
  for (const line of lines) sums.set(line.day, (sums.get(line.day) ?? 0) + line[measure])
  return days(first, last).map(day => ({ day, value: sums.get(day) ?? 0 }))
}

/** Sums by tenant, key and model, the largest first. */
export function totals(lines: UsageLine[], measure: Measure): UsageLine[] {
  const sums = new Map<string, UsageLine>()
  for (const line of lines) {
    const name = JSON.stringify([line.tenant, line.key, line.model])
    const sum = sums.get(name)
    if (!sum) sums.set(name, { ...line })
    else for (const each of Object.keys(MEASURES) as Measure[]) sum[each] += line[each]
  }
  return [...sums.values()].sort((one, other) => other[measure] - one[measure])
}

/** The smallest round number that is not below the largest value: 1, 2 or 5 times a power of ten. */
export function top(values: number[]): number {
  const largest = Math.max(1, ...values)
  const power = 10 ** Math.floor(Math.log10(largest))
  return [1, 2, 5, 10].map(factor => factor * power).find(one => one >= largest)!
}
