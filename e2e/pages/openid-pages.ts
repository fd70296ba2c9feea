import { changeProduct } from '../../server/src/products/index.ts'
import type { Harness } from '../harness/harness.ts'
import { enterAtOnce, type PageFixture } from './page-fixture.ts'

/** The pages that an app of OpenID Connect may lead to. */
export const openIdPages: Readonly<Record<string, (fixture: PageFixture) => Promise<unknown>>> = {
  'openid-refused': async ({ tab, harness }) => {
    await openIdClient(harness)
    return tab.goto(`${harness.service.url}/openid/authorize?client_id=pk_unknown&redirect_uri=https://app.example/&response_type=code`)
  },
  'openid-logout': async (fixture) => {
    const { tab, harness } = fixture
    const clientId = await openIdClient(harness)
    await enterAtOnce(fixture)
    return tab.goto(`${harness.service.url}/openid/logout?client_id=${clientId}`)
  },
}

async function openIdClient({ service, painel }: Harness): Promise<string> {
  const changed = await changeProduct('painel', { openid: { kind: 'web' } }, { ...service.context, actor: 'operator:test' })
  if ('refusal' in changed) throw new Error(`${painel}: ${changed.refusal}`)
  return changed.publishableKey
}
