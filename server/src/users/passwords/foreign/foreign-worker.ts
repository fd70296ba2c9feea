import { parentPort } from 'node:worker_threads'
import { isForeignMatch } from './derive-foreign.ts'
import type { ForeignAnswer, ForeignQuestion } from './verify-foreign.ts'

// The thread that computes the hashes of other systems. A question has one hash or several; with `own`, the first is the user's.
parentPort?.on('message', ({ id, password, hashes, own }: ForeignQuestion) => {
  const matches = hashes.map(({ cost, salt, tag }) => isForeignMatch(password, { cost, salt: Buffer.from(salt), tag: Buffer.from(tag) }))
  parentPort?.postMessage({ id, matches: own && matches[0] === true } satisfies ForeignAnswer)
})
