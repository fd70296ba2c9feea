import { changeProduct } from '../../server/src/products/index.ts'
import { startDocumentServer } from '../../server/test/support/openid/document-server.ts'
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
  'openid-native': async (fixture) => {
    const { tab, harness } = fixture
    const clientId = await openIdClient(harness, 'native')
    await enterAtOnce(fixture)
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: 'http://127.0.0.1:50001/',
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    return tab.goto(`${harness.service.url}/openid/authorize?${query}`)
  },
  'openid-described': async (fixture) => {
    const { tab, harness } = fixture
    await takeDocuments(harness, true)
    await enterAtOnce(fixture)
    const documents = await startDocumentServer()
    const query = new URLSearchParams({
      client_id: documents.describe('/ferramentas/cliente.json'),
      redirect_uri: 'http://127.0.0.1:50001/callback',
      response_type: 'code',
      scope: 'openid profile email portaria offline_access',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    await tab.goto(`${harness.service.url}/openid/authorize?${query}`)
    documents.close()
    await takeDocuments(harness, false)
  },
}

async function takeDocuments({ service }: Harness, takesDocuments: boolean): Promise<void> {
  await changeProduct('painel', { openid: { kind: 'native', takesDocuments } }, { ...service.context, actor: 'operator:test' })
}

async function openIdClient({ service, painel }: Harness, kind: 'web' | 'native' = 'web'): Promise<string> {
  const operator = { ...service.context, actor: 'operator:test' }
  // A picture in another language finds it there.
  if (kind === 'native') await changeProduct('painel', { addUris: [{ uri: 'http://127.0.0.1/', trusted: false }] }, operator)
  const changed = await changeProduct('painel', { openid: { kind } }, operator)
  if ('refusal' in changed) throw new Error(`${painel}: ${changed.refusal}`)
  return changed.publishableKey
}
