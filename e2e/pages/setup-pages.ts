import { setupToken } from '../../server/test/support/users/first-owner.ts'
import { signIn } from '../harness/steps.ts'
import { newAddress, newcomer, type Scene, visit } from './scene.ts'

/** The pages of the first start, and the one at which a proof for the console ends: how a person comes to them. */
export const setupPages: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  setup: open,
  'setup-errors': async (scene) => {
    await open(scene)
    await send(scene, { name: '', email: 'dona', password: 'curta' })
  },
  'setup-known': async (scene) => {
    const { email } = await newcomer(scene.stage, {})
    await open(scene)
    await send(scene, { name: 'Dona Flor', email, password: 'girassol azul no telhado' })
  },
  'setup-wrong-password': async (scene) => {
    const { email } = await newcomer(scene.stage, {})
    await open(scene)
    await send(scene, { name: 'Dona Flor', email, password: 'girassol azul no telhado' })
    await scene.tab.locator('[name=password]').fill('errada')
    await scene.tab.locator('button[type=submit]').click()
    await scene.tab.getByRole('alert').waitFor()
  },
  'setup-gone': (scene) => visit(scene, '/setup?token=gone', 400),
  authenticated: async (scene) => {
    const { tab, stage, labels } = scene
    const { email } = await stage.service.user(newAddress())
    await tab.goto(`${stage.service.url}/admin/authenticate`)
    await signIn(tab, email, { labels })
    await tab.waitForURL(`${stage.service.url}/admin/authenticated`)
  },
}

async function open(scene: Scene): Promise<void> {
  await visit(scene, `/setup?token=${await setupToken(scene.stage.service)}`)
}

async function send({ tab }: Scene, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await tab.locator(`[name=${name}]`).fill(value)
  const answered = tab.waitForResponse((response) => response.request().method() === 'POST')
  await tab.locator('button[type=submit]').click()
  await answered
  await tab.waitForLoadState()
}
