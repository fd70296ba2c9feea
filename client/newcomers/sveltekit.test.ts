import { describe, it } from 'node:test'
import { assertSignsIn, at, freshApp, recipe } from './fresh-app.ts'

describe('A fresh app of SvelteKit', () => {
  it('N1: is built from the documents as they are, and signs in', async () => {
    const create = [
      at('sv'),
      'create',
      'app',
      '--template',
      'minimal',
      '--types',
      'jsdoc',
      '--add',
      'sveltekit-adapter=adapter:node',
      '--no-install',
    ]
    const app = await freshApp({ create, packages: [] })
    app.write(recipe('SvelteKit'))
    await app.run(['npm', 'run', 'build'])
    await app.start(['node', 'build'], { ORIGIN: app.url })
    await assertSignsIn(app, '/')
  })
})
