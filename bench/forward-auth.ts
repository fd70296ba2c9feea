import { setForwardAuth } from '../server/src/forward-auth/index.ts'
import { createProduct } from '../server/src/products/index.ts'
import { request } from './harness/connection.ts'
import { atLeast, type Row } from './harness/figures.ts'
import { makeFixture, URL_OF_SERVICE } from './harness/fixture.ts'
import { againstBare, type Rounds } from './harness/pair.ts'
import { startBaseline, startService } from './harness/processes.ts'

/** Without a cookie domain, the internal domain is the service's own host on any port. */
const HOST = `${new URL(URL_OF_SERVICE).hostname}:8443`
const TO_REACH = 0.8

/** `GET /auth/forward` as a proxy asks it, with the headers of a browser that opens a page. */
export async function measureForwardAuth({ fresh, rounds }: { fresh: (name: string) => string; rounds: Rounds }): Promise<Row[]> {
  const fixture = await makeFixture(fresh('forward'), 20_000)
  const deps = { ...fixture.context, actor: 'operator:bench', cookieDomain: undefined, baseUrl: URL_OF_SERVICE }
  const made = await createProduct(
    {
      ...{ slug: 'wiki', name: 'Wiki', audience: 'internal', checkout: 'integrated', handoff: 'eg_session' },
      ...{ scopes: ['read:email', 'read:profile'], queryKeyAllowed: false, redirectUris: [] },
      requirements: { requires: [], foreigners: 'refused' },
    },
    deps,
  )
  if ('refusal' in made) throw new Error(JSON.stringify(made))
  const set = await setForwardAuth(made.product.id, { addHosts: [HOST] }, deps)
  if ('refusal' in set) throw new Error(JSON.stringify(set))
  const tokens = await fixture.sessionTokens(0, 10_000)
  const [service, baseline] = [await startService(fixture.folder), await startBaseline(fresh('baseline'))]
  const requests = tokens.map((token) => request('GET', '/auth/forward', { ...PROXY, cookie: `eg_session=${token}` }))
  const measured = await againstBare('forward auth, 10,000 sessions in turn', {
    service,
    baseline,
    rounds,
    requests,
    sign: 'portaria-user',
  })
  await Promise.all([service.stop(), baseline.stop()])
  await fixture.context.close()
  return [{ ...measured, target: atLeast(TO_REACH, measured.ratio) }]
}

const PROXY = {
  'x-forwarded-host': HOST,
  'x-forwarded-method': 'GET',
  'x-forwarded-uri': '/wiki/pagina?a=1',
  'x-forwarded-for': '192.0.2.1',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
