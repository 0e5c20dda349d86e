import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'

/** Writes the hash of the script beside its address: the gateway's policy allows that script and no other. */
function integrity(): Plugin {
  return {
    name: 'integrity',
    apply: 'build',
    writeBundle(options) {
      const page = `${options.dir}/index.html`
      const html = readFileSync(page, 'utf8').replace(/<script ([^>]*)src="([^"]+)"/g, (_, before, address) => {
        const hash = createHash('sha256').update(readFileSync(options.dir + address)).digest('base64')
        return `<script ${before}src="${address}" integrity="sha256-${hash}"`
      })
      writeFileSync(page, html)
    },
  }
}

const gateway = process.env.COUNTERPOINT_URL ?? 'http://localhost:8080'

export default defineConfig({
  plugins: [integrity()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' },
  },
  server: { proxy: { '/v1': gateway } },
  test: { include: ['tests/**/*.test.{ts,tsx}'] },
} as Parameters<typeof defineConfig>[0])
