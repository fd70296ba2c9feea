import { addDevice } from './passkey-steps.ts'
import { enterAtOnce, type Scene, visit } from './scene.ts'

/** Passkeys: how a person comes to each page, and to what it says when something is wrong. */
export const passkeyPages: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'login-passkey-refused': async ({ tab, stage, labels }) => {
    await tab.goto(stage.painel)
    await tab.evaluate(`document.querySelector('[data-passkey] form').submit()`)
    await tab.getByRole('alert').filter({ hasText: labels.passkeySignIn.refused }).waitFor()
  },
  passkeys: (scene) => openOwn(scene),
  'passkeys-added': (scene) => addOne(scene),
  'passkeys-listed': async (scene) => {
    await listTwo(scene)
    await visit(scene, '/account/passkeys')
  },
  'passkeys-last': async (scene) => {
    const { id } = await openOwn(scene)
    await addOne(scene, 'opened')
    const { db } = scene.stage.service.context.storage
    await db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    await scene.tab.getByRole('link', { name: scene.labels.passkeys.change }).click()
    await scene.tab.getByRole('button', { name: scene.labels.passkeys.remove }).click()
    await scene.tab.getByRole('alert').filter({ hasText: scene.labels.passkeys.problems.last_sign_in_method.title }).waitFor()
  },
  'passkey-change': async (scene) => {
    await listTwo(scene)
    await visit(scene, '/account/passkeys')
    await scene.tab.getByRole('link', { name: scene.labels.passkeys.changeNamed('iPhone 17') }).click()
    await scene.tab.getByRole('heading', { name: scene.labels.passkeys.changeTitle }).waitFor()
  },
}

async function openOwn(scene: Scene): Promise<{ id: string }> {
  const owner = await enterAtOnce(scene)
  await visit(scene, '/account/passkeys')
  return owner
}

async function addOne(scene: Scene, page: 'opened' | 'to_open' = 'to_open'): Promise<void> {
  await addDevice(scene.tab)
  if (page === 'to_open') await openOwn(scene)
  await scene.tab.getByRole('button', { name: scene.labels.passkeys.add }).click()
  await scene.tab.getByRole('status').filter({ hasText: scene.labels.passkeys.added }).waitFor()
}

/** Somebody with two, one of them with the longest name there can be. */
async function listTwo(scene: Scene): Promise<void> {
  const { id } = await openOwn(scene)
  const day = 86_400_000
  const now = scene.stage.service.clock.now
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
  await scene.stage.service.context.storage.db
    .insertInto('passkeys')
    .values(rows.map((row) => ({ ...common, ...row })))
    .execute()
}
