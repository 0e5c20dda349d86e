import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'

/** The page that this run builds. Each has one script of its own: the gateway's policy allows no script that another loads. */
const page = process.env.PAGE ?? 'index'

/** Writes the hash of the script beside its address: the gateway's policy allows that script and no other. */
function integrity(): Plugin {
  return {
    name: 'integrity',
    apply: 'build',
    writeBundle(options) {
      const file = `${options.dir}/${page}.html`
      const html = readFileSync(file, 'utf8').replace(/<script ([^>]*)src="([^"]+)"/g, (_, before, address) => {
        const hash = createHash('sha256').update(readFileSync(options.dir + address)).digest('base64')
        return `<script ${before}src="${address}" integrity="sha256-${hash}"`
      })
      writeFileSync(file, html)
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
    emptyOutDir: page === 'index',
    rolldownOptions: { input: `${page}.html` },
    // The console uses no library that the chat page does not use.
    license: page === 'index' ? { fileName: 'licenses.md' } : false,
  },
  server: { proxy: { '/v1': gateway, '/admin': gateway } },
  test: { include: ['tests/**/*.test.{ts,tsx}'] },
} as Parameters<typeof defineConfig>[0])
