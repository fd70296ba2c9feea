import { describe, it } from 'node:test'
import { assertSignsIn, at, freshApp, recipe } from './fresh-app.ts'

describe('A fresh app of Astro', () => {
  it('N1: is built from the documents as they are, and signs in', async () => {
    const app = await freshApp({ packages: [at('astro'), at('@astrojs/node')] })
    app.write(recipe('Astro'))
    await app.run(['npx', 'astro', 'build'])
    await app.start(['node', 'dist/server/entry.mjs'])
    await assertSignsIn(app, '/')
  })
})
