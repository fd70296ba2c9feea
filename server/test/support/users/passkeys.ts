import assert from 'node:assert/strict'
import { type Answer, type Browser, hiddenFlow } from '../browser.ts'
import { PASSWORD, type TestService } from '../service.ts'
import { type Bend, type CreationOptions, type PasskeyDevice, passkeyDevice } from './passkey-device.ts'

// Shared by the tests of passkeys: a user with a device, and the steps of a browser that knows passkeys.

let networks = 0
/** A browser on a network of its own: limits count by network. The service has to trust one proxy. */
export function elsewhere(service: TestService): Browser {
  return service.browser({ 'x-forwarded-for': `198.51.${100 + (++networks >> 8)}.${networks & 255}` })
}

export interface KeyHolder {
  user: { id: string; email: string }
  browser: Browser
  device: PasskeyDevice
}

/** Somebody new, signed in, with a device that has made no passkey yet. */
export async function ownerOf(service: TestService, email: string, options: { counts?: boolean } = {}): Promise<KeyHolder> {
  const user = await service.user(email)
  const browser = elsewhere(service)
  assert.equal((await browser.signIn('/login', { email, password: PASSWORD })).status, 302)
  return { user, browser, device: passkeyDevice(service.url, options) }
}

/** Somebody new with one passkey. */
export async function keyHolder(service: TestService, email: string, options: { counts?: boolean } = {}): Promise<KeyHolder> {
  const owner = await ownerOf(service, email, options)
  assert.equal((await addPasskey(owner)).status, 200)
  return owner
}

export async function creationOptions(browser: Browser): Promise<CreationOptions & Record<string, unknown>> {
  const answer = await browser.submit('/account/passkeys/options', {}, { accept: '*/*' })
  assert.equal(answer.status, 200, answer.text.slice(0, 200))
  return answer.json()
}

export async function addPasskey({ browser, device }: Omit<KeyHolder, 'user'>, bend: Bend = {}): Promise<Answer> {
  return postPasskey(browser, device.make(await creationOptions(browser), bend))
}

export function postPasskey(browser: Browser, credential: string, name = 'Celular'): Promise<Answer> {
  return browser.submit('/account/passkeys', { credential, name }, { accept: 'application/json' })
}

/** A login page that is open, and what its device was asked to sign. */
export interface Asked {
  browser: Browser
  flow: string
  options: { challenge: string; rpId: string } & Record<string, unknown>
}

export async function openLogin(service: TestService, browser = elsewhere(service), path = '/login'): Promise<Asked> {
  let page = await browser.get(path)
  if (page.location) page = await browser.get(page.location.href)
  const flow = hiddenFlow(page.text)
  const answer = await browser.submit('/passkeys/sign-in/options', { flow }, { accept: '*/*' })
  assert.equal(answer.status, 200, answer.text.slice(0, 200))
  return { browser, flow, options: answer.json() }
}

export function postSignIn({ browser, flow }: Asked, credential: string): Promise<Answer> {
  return browser.submit('/passkeys/sign-in', { flow, credential }, { accept: 'application/json' })
}

/** Signs in with a device in a browser that was never here. */
export async function enterWith(service: TestService, device: PasskeyDevice, bend: Bend = {}): Promise<Answer & { browser: Browser }> {
  const asked = await openLogin(service)
  return { ...(await postSignIn(asked, device.sign(asked.options, bend))), browser: asked.browser }
}

export async function passkeysOf({ context }: TestService, { id }: { id: string }) {
  return context.storage.db.selectFrom('passkeys').selectAll().where('user_id', '=', id).orderBy('id').execute()
}

export async function auditOf({ context }: TestService, { id }: { id: string }, action: string) {
  return context.storage.db.selectFrom('audit').selectAll().where('target', '=', id).where('action', '=', action).execute()
}
