import assert from 'node:assert/strict'
import type { Answer } from './fixture.ts'

/** A page of the client's own: complete, in English, nothing in it that could run, and nothing stored but what it says. */
export function assertNotice(answer: Answer, status: number, title: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.text, new RegExp(`<html lang="en">.*<h1>${title}`, 's'))
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'nonce-/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  for (const name of ['eg_session', '__Host-eg_session']) assert.equal(answer.setCookies[name], undefined)
}
