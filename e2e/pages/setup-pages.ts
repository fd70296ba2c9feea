import { setupToken } from '../../server/test/support/users/first-owner.ts'
import { signIn } from '../harness/steps.ts'
import { goTo, newAddress, newcomer, type PageFixture } from './page-fixture.ts'

/** The pages of the first start, and the page at which a sign-in for the console ends: how a user comes to them. */
export const setupPages: Readonly<Record<string, (fixture: PageFixture) => Promise<unknown>>> = {
  setup: open,
  'setup-errors': async (fixture) => {
    await open(fixture)
    await send(fixture, { name: '', email: 'dona', password: 'curta' })
  },
  'setup-known': async (fixture) => {
    const { email } = await newcomer(fixture.harness, {})
    await open(fixture)
    await send(fixture, { name: 'Dona Flor', email, password: 'girassol azul no telhado' })
  },
  'setup-wrong-password': async (fixture) => {
    const { email } = await newcomer(fixture.harness, {})
    await open(fixture)
    await send(fixture, { name: 'Dona Flor', email, password: 'girassol azul no telhado' })
    await fixture.tab.locator('[name=password]').fill('errada')
    await fixture.tab.locator('button[type=submit]').click()
    await fixture.tab.getByRole('alert').waitFor()
  },
  'setup-gone': (fixture) => goTo(fixture, '/setup?token=gone', 400),
  authenticated: async (fixture) => {
    const { tab, harness, labels } = fixture
    const { email } = await harness.service.user(newAddress())
    await tab.goto(`${harness.service.url}/admin/authenticate`)
    await signIn(tab, email, { labels })
    await tab.waitForURL(`${harness.service.url}/admin/authenticated`)
  },
}

async function open(fixture: PageFixture): Promise<void> {
  await goTo(fixture, `/setup?token=${await setupToken(fixture.harness.service)}`)
}

async function send({ tab }: PageFixture, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await tab.locator(`[name=${name}]`).fill(value)
  const answered = tab.waitForResponse((response) => response.request().method() === 'POST')
  await tab.locator('button[type=submit]').click()
  await answered
  await tab.waitForLoadState()
}
