import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { EndReason } from '../../../server/src/sessions/index.ts'
import { sessionTexts } from './texts.ts'

it('There is a word for everything that ends a session, in every language', () => {
  for (const { reasons } of Object.values(sessionTexts)) {
    // A name that only the service knows fails the type check.
    const labels: Readonly<Record<EndReason, string>> = reasons
    for (const label of Object.values(labels)) assert.notEqual(label, '')
  }
})
