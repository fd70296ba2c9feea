import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** What the service puts in the place of these words, in every answer: see server/src/http/console/console-routes.ts. */
const NONCE = '__NONCE__'

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  base: '/admin/',
  plugins: [react(), compressed()],
  html: { cspNonce: NONCE },
  build: {
    target: 'es2023',
    // Every file has its own name and is kept for ever by browsers; in a page's markup it would be sent again each time.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
})

/** Writes each text asset a second and third time, compressed as far as it goes, so that serving costs nothing. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = path.join(dir, 'assets')
      for (const name of readdirSync(assets).filter((file) => /\.(js|css|svg)$/.test(file))) {
        const bytes = readFileSync(path.join(assets, name))
        writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(bytes))
        writeFileSync(path.join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
