import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const browser = { ...(installed ? { launchOptions: { executablePath: installed } } : {}) }

export default defineConfig({
  testDir: 'journeys',
  outputDir: '../target/journeys',
  timeout: 60_000,
  expect: { timeout: 20_000 },
  workers: 1, // one of them kills the gateway
  retries: 0,
  reporter: 'list',
  use: { baseURL: process.env.COUNTERPOINT_URL ?? '', trace: 'retain-on-failure' },
  projects: [
    { name: 'desktop', use: { ...browser, viewport: { width: 1280, height: 800 } } },
    { name: 'phone', use: { ...browser, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } },
  ],
})
