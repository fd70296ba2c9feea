import { enterAtOnce, goTo, type PageFixture } from './page-fixture.ts'
import { addDevice } from './passkey-steps.ts'

/** Passkeys: how a user comes to each page, and to what it says when something is wrong. */
export const passkeyPages: Readonly<Record<string, (fixture: PageFixture) => Promise<unknown>>> = {
  'login-passkey-refused': async ({ tab, harness, labels }) => {
    await tab.goto(harness.painel)
    await tab.evaluate(`document.querySelector('[data-passkey] form').submit()`)
    await tab.getByRole('alert').filter({ hasText: labels.passkeySignIn.refused }).waitFor()
  },
  passkeys: (fixture) => openOwn(fixture),
  'passkeys-added': (fixture) => addOne(fixture),
  'passkeys-listed': async (fixture) => {
    await listTwo(fixture)
    await goTo(fixture, '/account/passkeys')
  },
  'passkeys-last': async (fixture) => {
    const { id } = await openOwn(fixture)
    await addOne(fixture, 'opened')
    const { db } = fixture.harness.service.context.storage
    await db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    await fixture.tab.getByRole('link', { name: fixture.labels.passkeys.change }).click()
    await fixture.tab.getByRole('button', { name: fixture.labels.passkeys.remove }).click()
    await fixture.tab.getByRole('alert').filter({ hasText: fixture.labels.passkeys.problems.last_sign_in_method.title }).waitFor()
  },
  'passkey-change': async (fixture) => {
    await listTwo(fixture)
    await goTo(fixture, '/account/passkeys')
    await fixture.tab.getByRole('link', { name: fixture.labels.passkeys.changeNamed('iPhone 17') }).click()
    await fixture.tab.getByRole('heading', { name: fixture.labels.passkeys.changeTitle }).waitFor()
  },
}

async function openOwn(fixture: PageFixture): Promise<{ id: string }> {
  const owner = await enterAtOnce(fixture)
  await goTo(fixture, '/account/passkeys')
  return owner
}

async function addOne(fixture: PageFixture, page: 'opened' | 'to_open' = 'to_open'): Promise<void> {
  await addDevice(fixture.tab)
  if (page === 'to_open') await openOwn(fixture)
  await fixture.tab.getByRole('button', { name: fixture.labels.passkeys.add }).click()
  await fixture.tab.getByRole('status').filter({ hasText: fixture.labels.passkeys.added }).waitFor()
}

/** Somebody with two, one of them with the longest name there can be. */
async function listTwo(fixture: PageFixture): Promise<void> {
  const { id } = await openOwn(fixture)
  const day = 86_400_000
  const now = fixture.harness.service.clock.now
  const common = { user_id: id, public_key: 'AA', counter: 0, transports: '[]' }
  const rows = [
    { id: `one-${id}`, name: 'iPhone 17', is_backed_up: 1, created_at: now - 90 * day, last_used_at: now - day },
    {
      id: `two-${id}`,
      name: 'Notebook do escritório novo, o que fica na sala de reuniões'.slice(0, 60),
      is_backed_up: 0,
      created_at: now,
      last_used_at: null,
    },
  ]
  await fixture.harness.service.context.storage.db
    .insertInto('passkeys')
    .values(rows.map((row) => ({ ...common, ...row })))
    .execute()
}
