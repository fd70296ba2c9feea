import { addProvider, removeProvider } from '../../server/src/identity-providers/index.ts'
import type { Texts } from '../../server/src/pages/texts.ts'
import type { Harness } from '../harness/harness.ts'
import { beginFlow, type PageFixture } from './page-fixture.ts'

/** About as long as a provider's name may be, for the narrowest phone. */
const LONG = 'Universidade Federal do Rio Grande do Norte, acesso único'
const names: Readonly<Record<string, string>> = { google: 'Google', universidade: LONG }
type Kind = keyof Texts['login']['notices']

/** The login page where there are other ways in, and with each thing that it says of a provider. */
export const providerPages: Readonly<Record<string, (fixture: PageFixture) => Promise<unknown>>> = {
  'login-providers': ({ tab, harness }) => withProviders(harness, () => tab.goto(harness.painel)),
  'login-provider-denied': (fixture) => openNotice(fixture, 'provider_denied'),
  'login-provider-unreachable': (fixture) => openNotice(fixture, 'provider_unreachable'),
  'login-provider-failed': (fixture) => openNotice(fixture, 'provider_failed'),
  'login-provider-not-recent': (fixture) => openNotice(fixture, 'provider_not_recent'),
  'login-provider-gave-no-address': (fixture) => openNotice(fixture, 'provider_gave_no_address'),
  'login-verify-local': (fixture) => openNotice(fixture, 'link_with_password'),
}

function openNotice(fixture: PageFixture, kind: Kind): Promise<void> {
  const { tab, harness, labels } = fixture
  return withProviders(harness, async () => {
    const flow = await beginFlow(fixture, { notice: { kind, provider: LONG } })
    await tab.goto(`${harness.service.url}/login?flow=${encodeURIComponent(flow)}`)
    await tab.getByText(labels.login.notices[kind].title(LONG)).waitFor()
  })
}

/** Providers are there while the page is opened: the other pages are for a service that has none. */
async function withProviders({ service }: Harness, open: () => Promise<unknown>): Promise<void> {
  const operator = { ...service.context, actor: 'operator:test' }
  const rest = {
    issuer: 'https://um.example',
    clientId: 'portaria',
    clientSecret: 'none',
    authoritativeFor: [],
    accessTokenAudience: undefined,
  }
  for (const [id, name] of Object.entries(names)) await addProvider({ ...rest, id, name }, operator)
  await open()
  for (const id of Object.keys(names)) await removeProvider(id, operator)
}
