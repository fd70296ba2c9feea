import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mintSigningPair } from './signing-pair.ts'

it('a signing key never has an id that a command line takes for an option', async () => {
  // One thumbprint in 64 begins with a hyphen: without the rule this fails all but once in 500 runs.
  const pairs = await Promise.all(Array.from({ length: 400 }, mintSigningPair))
  assert.deepEqual(
    pairs.map(({ kid }) => kid).filter((kid) => !/^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/.test(kid)),
    [],
  )
})
