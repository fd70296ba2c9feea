import { addProvider, removeProvider } from '../../server/src/identity-providers/index.ts'
import type { Texts } from '../../server/src/pages/texts.ts'
import type { Stage } from '../harness/stage.ts'
import { beginFlow, type Scene } from './scene.ts'

/** About as long as a provider's name may be, for the narrowest phone. */
const LONG = 'Universidade Federal do Rio Grande do Norte, acesso único'
const names: Readonly<Record<string, string>> = { google: 'Google', universidade: LONG }
type Kind = keyof Texts['login']['notices']

/** The login page where there are other ways in, and with each thing that it says of a provider. */
export const providerPages: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'login-providers': ({ tab, stage }) => withProviders(stage, () => tab.goto(stage.painel)),
  'login-provider-denied': (scene) => openNotice(scene, 'provider_denied'),
  'login-provider-unreachable': (scene) => openNotice(scene, 'provider_unreachable'),
  'login-provider-failed': (scene) => openNotice(scene, 'provider_failed'),
  'login-provider-gave-no-address': (scene) => openNotice(scene, 'provider_gave_no_address'),
  'login-verify-local': (scene) => openNotice(scene, 'link_with_password'),
}

function openNotice(scene: Scene, kind: Kind): Promise<void> {
  const { tab, stage, labels } = scene
  return withProviders(stage, async () => {
    const flow = await beginFlow(scene, { notice: { kind, provider: LONG } })
    await tab.goto(`${stage.service.url}/login?flow=${encodeURIComponent(flow)}`)
    await tab.getByText(labels.login.notices[kind].title(LONG)).waitFor()
  })
}

/** Providers are there while the page is opened: the other pages are for a service that has none. */
async function withProviders({ service }: Stage, open: () => Promise<unknown>): Promise<void> {
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
