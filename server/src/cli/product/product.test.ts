import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { keyHint, parseKeyKind } from '../../kit/index.ts'

interface Entry {
  action: string
}

const INTERNAL = 'product create --slug academy --name Academy --audience internal --checkout integrated'
const EXTERNAL = 'product create --slug shop --name Shop --audience external --checkout external'

eachDatabase('The product commands', (database) => {
  it('register an app, show its API key this once, and its other keys again', async () => {
    const portaria = commandLine(await database.fresh())
    const made = await portaria(
      `${EXTERNAL} --redirect-uri https://shop.example/callback --redirect-uri http://localhost:4000/cb --scopes read:email --json`,
    )
    assert.equal(made.code, 0, made.err)
    const { publishable_key, api_key, webhook_key } = made.json
    assert.deepEqual([publishable_key, api_key, webhook_key].map(parseKeyKind), ['pk', 'sk', 'wk'])
    assert.deepEqual(
      [made.json.audience, made.json.checkout, made.json.handoff, made.json.scopes],
      ['external', 'external', 'eg_token', ['read:email']],
    )
    assert.deepEqual(made.json.redirect_uris, [
      { uri: 'http://localhost:4000/cb', trusted: false },
      { uri: 'https://shop.example/callback', trusted: false },
    ])
    const shown = await portaria('product show --slug shop --json')
    assert.deepEqual(shown.json, (({ api_key: _once, ...rest }) => rest)(made.json))
    assert.deepEqual((await portaria(`product show ${made.json.id} --json`)).json, shown.json)
    const everything = [
      shown.out,
      (await portaria('product show shop')).out,
      (await portaria('product list --json')).out,
      (await portaria('audit list --json')).out,
    ]
    assert.ok(everything.every((text) => !text.includes(api_key)))
    assert.ok(!everything.at(-1)?.includes(webhook_key))
    assert.match(everything[1] ?? '', new RegExp(`/api/webhooks/<gateway>/${webhook_key}`))
    assert.match(everything[1] ?? '', new RegExp(`${api_key.slice(0, 7)}…${api_key.slice(-4)}`))
  })

  it('say which addresses of an internal product will get no token', async () => {
    const environment = {
      PORTARIA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORTARIA_URL: 'https://sso.example.com',
      PORTARIA_COOKIE_DOMAIN: 'example.com',
    }
    const portaria = commandLine(await database.fresh(), environment)
    const made = await portaria(
      `${INTERNAL} --redirect-uri https://app.example.com/cb --redirect-uri https://other.net/cb --trusted-uri https://trusted.net/cb`,
    )
    assert.match(made.out, /Not on the internal domain \(example\.com\)[^\n]+\n {2}https:\/\/other\.net\/cb\n$/)
    assert.match(made.out, /https:\/\/trusted\.net\/cb \(trusted\)/)
  })

  it('print the lines for an app with its own values, and how to set the product up for it', async () => {
    const environment = {
      PORTARIA_MASTER_KEY: MASTER_KEY,
      PORTARIA_URL: 'https://sso.example.com',
      PORTARIA_COOKIE_DOMAIN: 'example.com',
    }
    const portaria = commandLine(await database.fresh(), environment)
    const made = await portaria(`${INTERNAL} --redirect-uri https://app.example.com/auth/callback --json`)
    const env = await portaria('product snippet academy --json')
    assert.equal(env.json.files[0].lines, 'PORTARIA_URL=https://sso.example.com\nPORTARIA_APP_URL=https://app.example.com')
    const early = await portaria('product snippet academy --for grafana')
    assert.deepEqual([early.code, early.err.includes('`portaria product set --slug academy --openid web`')], [1, true])
    await portaria('product set --slug academy --openid web')
    const grafana = await portaria('product snippet --slug academy --for grafana')
    assert.match(grafana.out, new RegExp(`^\\[auth\\.generic_oauth\\]\\n[^?]*\\nclient_id = ${made.json.publishable_key}\\n`))
    assert.match(grafana.out, /\n# sk_… is an API key: portaria product add-key --slug academy\n$/)
    const which = await portaria('product snippet academy')
    assert.deepEqual([which.code, /--for openid, grafana, wordpress/.test(which.err)], [2, true])
    await portaria('product set --slug academy --forward-auth signed-in --add-forward-host wiki.example.com')
    const nginx = await portaria('product snippet academy --for nginx')
    assert.match(nginx.out, /proxy_pass http:\/\/127\.0\.0\.1:3000\/auth\/forward\?redirect=no;[\s\S]*X-Forwarded-Host wiki\.example\.com;/)
    assert.ok(!nginx.out.includes('sk_'))
  })

  it('let clients that describe themselves sign in by one product, a native one', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(`${INTERNAL} --redirect-uri http://localhost:1/a`)
    await portaria('product create --slug tools --name Tools --audience external --checkout integrated')
    const early = await portaria('product set academy --openid web --client-documents on')
    assert.deepEqual([early.code, /only a product of the kind native/.test(early.err)], [1, true])
    const shown = await portaria('product set academy --openid native --client-documents on')
    assert.match(shown.out, /clients that describe themselves sign in by it/)
    const second = await portaria('product set tools --openid native --client-documents on')
    assert.match(second.err, /academy takes them already/)
    await portaria('product set academy --client-documents off')
    assert.equal((await portaria('product set tools --openid native --client-documents on')).code, 0)
  })

  it('change a product and its addresses', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(`${INTERNAL} --redirect-uri http://localhost:1/a`)
    const { json } = await portaria([
      ...[
        'product',
        'set',
        'academy',
        '--name',
        'The Academy',
        '--handoff',
        'eg_token',
        '--scopes',
        'read:email, read:profile',
        '--no-query-key',
      ],
      ...[
        '--remove-uri',
        'http://localhost:1/a',
        '--add-trusted-uri',
        'http://localhost:1/a',
        '--add-uri',
        'http://localhost:1/b',
        '--json',
      ],
    ])
    assert.deepEqual(
      [json.name, json.handoff, json.scopes, json.query_key_allowed],
      ['The Academy', 'eg_token', ['read:email', 'read:profile'], false],
    )
    assert.deepEqual(json.redirect_uris, [
      { uri: 'http://localhost:1/a', trusted: true },
      { uri: 'http://localhost:1/b', trusted: false },
    ])
  })

  it('add and revoke API keys, and keep two webhook keys while one is being rotated', async () => {
    const portaria = commandLine(await database.fresh())
    const made = (await portaria(`${EXTERNAL} --json`)).json
    const added = (await portaria('product add-key shop --json')).json
    assert.equal(parseKeyKind(added.api_key), 'sk')
    assert.equal((await portaria(`product revoke-key shop ${made.api_keys[0].id}`)).code, 0)
    assert.equal((await portaria(`product revoke-key --slug shop --key ${made.api_keys[0].id}`)).code, 1)
    const [revocation] = (await portaria('audit list --action product.revoke_key --json')).json
    assert.deepEqual(revocation.before, { key: keyHint(made.api_key) })
    const keys = (await portaria('product show shop --json')).json.api_keys
    assert.deepEqual(
      keys.map((key: { revoked_at: string | null }) => key.revoked_at === null),
      [false, true],
    )
    const rotated = [
      (await portaria('product rotate-webhook-key shop --json')).json.webhook_key,
      (await portaria('product rotate-webhook-key shop --json')).json.webhook_key,
    ]
    const { webhook_keys, webhook_key } = (await portaria('product show shop --json')).json
    assert.equal(webhook_key, rotated[1])
    assert.deepEqual(
      webhook_keys.filter((key: { revoked_at: string | null }) => key.revoked_at === null).map(({ key }: { key: string }) => key),
      rotated.reverse(),
    )
  })

  it('keep the matrix of payment methods of whoever sells through the operator', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(INTERNAL)
    await portaria(EXTERNAL)
    assert.deepEqual((await portaria('product gateway-matrix --slug academy --json')).json, [])
    assert.equal((await portaria('product gateway-matrix --slug academy --set pix=asaas --set card=asaas')).code, 0)
    const changed = await portaria('product gateway-matrix academy --set card=stripe --json')
    assert.deepEqual(changed.json, [
      { method: 'pix', gateway: 'asaas' },
      { method: 'card', gateway: 'stripe' },
    ])
    const text = await portaria('product gateway-matrix academy --unset pix')
    assert.match(text.out, /^METHOD +GATEWAY\npix +not offered\nboleto +not offered\ncard +stripe\n$/)
    assert.match((await portaria('product gateway-matrix shop --set pix=asaas')).err, /checkout of its own/)
    assert.equal((await portaria('product gateway-matrix academy --set pix=visa')).code, 2)
  })

  it('put an app behind a proxy that asks, with a rule and hosts below the domain', async () => {
    const domain = { PORTARIA_URL: 'https://sso.example.com', PORTARIA_COOKIE_DOMAIN: 'example.com' }
    const portaria = commandLine(await database.fresh(), { ...domain, PORTARIA_MASTER_KEY: MASTER_KEY })
    for (const line of [INTERNAL, INTERNAL.replace('academy', 'other'), EXTERNAL]) await portaria(line)
    await portaria('plan set --slug pro --name Pro --price 9900')
    await portaria('plan set --slug mini --name Mini --price 900 --product academy')
    const ruleOf = async (options: string) => {
      const said = await portaria(`product set academy ${options} --json`)
      assert.equal(said.code, 0, said.err)
      return said.json.forward_auth
    }
    assert.equal((await portaria('product show academy --json')).json.forward_auth, null)
    const hosts = ['painel.example.com:8443', 'wiki.example.com']
    assert.deepEqual(await ruleOf('--add-forward-host wiki.example.com --add-forward-host painel.example.com:8443'), {
      ...{ access: 'signed_in', plans: [], hosts },
    })
    assert.deepEqual(await ruleOf('--forward-auth plan=pro,mini'), { access: 'plans', plans: ['pro', 'mini'], hosts })
    assert.match((await portaria('product show academy')).out, /^forward auth +with the plan pro or mini\n +painel\S+:8443\n +wiki\./m)
    assert.deepEqual(await ruleOf('--forward-auth any-plan --remove-forward-host wiki.example.com'), {
      ...{ access: 'any_plan', plans: [], hosts: ['painel.example.com:8443'] },
    })
    const refused: Array<[string, RegExp, code?: number]> = [
      ['academy --add-forward-host wiki.elsewhere.example', /is not below the internal domain/],
      ['academy --add-forward-host wiki.example.com.', /is no host in normal form/],
      ['academy --add-forward-host Wiki.example.com', /is no host in normal form/],
      ['academy --add-forward-host *.example.com', /is no host in normal form/],
      ['academy --add-forward-host https://wiki.example.com', /is no host in normal form/],
      ['academy --add-forward-host wiki.example.com:443', /is no host in normal form/],
      ['academy --add-forward-host sso.example.com', /Portaria's own host/],
      ['academy --remove-forward-host wiki.example.com', /is no host of this product/],
      ['other --add-forward-host painel.example.com:8443', /is registered for another product/],
      ['shop --add-forward-host shop.example.com', /an external product can not stand behind a proxy/],
      ['academy --forward-auth plan=gold', /there is no plan "gold"/],
      ['other --forward-auth plan=mini', /there is no plan "mini"/],
      ['academy --forward-auth everyone', /Expected signed-in/, 2],
      ['academy --forward-auth off --add-forward-host x.example.com', /give it alone/, 2],
    ]
    for (const [line, sentence, code = 1] of refused) {
      const said = await portaria(`product set ${line}`)
      assert.deepEqual([said.code, sentence.test(said.err)], [code, true], `${line}: ${said.err}`)
    }
    const entries = (await portaria('audit list --json')).json.filter(({ action }: Entry) => action === 'product.set_forward_auth')
    assert.deepEqual(entries[0].after, { access: 'any_plan', plans: [], hosts: ['painel.example.com:8443'] })
    assert.equal(entries.length, 3, 'a refused one leaves nothing')
    assert.equal(await ruleOf('--forward-auth off'), null)
    assert.equal((await portaria('product set other --add-forward-host painel.example.com:8443')).code, 0, 'it is free again')
  })

  it('refuse what can’t be, in one line that says what to do', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(`${INTERNAL} --redirect-uri https://app.example.com/cb`)
    const other = INTERNAL.replace('academy', 'other')
    const refused: Array<[string, RegExp, code?: number]> = [
      [INTERNAL.replace('academy', 'Academy!'), /slug can't be used/],
      [INTERNAL, /product with this slug exists/],
      [`${other} --redirect-uri https://app.example.com/cb`, /app\.example\.com\/cb is registered already/],
      [`${other} --redirect-uri https://APP.example.com/x`, /not in normal form; use https:\/\/app\.example\.com\/x/],
      [`${other} --redirect-uri http://app.example.com/x`, /must begin with https/],
      [`${other} --redirect-uri https://*.example.com/`, /wildcards/],
      [`${other} --redirect-uri https://a.example.com/#x`, /# part/],
      [`${other} --redirect-uri https://u:p@a.example.com/`, /user name/],
      [`${other} --redirect-uri https://a.example.com/?state=1`, /eg_session, eg_token or state/],
      [`${other} --redirect-uri https://a.example.com./`, /dot/],
      [`${other} --redirect-uri https://a.example.com/${'x'.repeat(1_000)}`, /longer than 1000/],
      [`${other} --redirect-uri javascript`, /complete address/],
      [`${EXTERNAL} --trusted-uri https://shop.example/`, /only an internal product/],
      [`${EXTERNAL} --handoff eg_session`, /always gets eg_token/, 2],
      ['product set academy --remove-uri https://nowhere.example/', /has no such address/],
      ['product show nothing', /no such product/],
      ['product set academy', /nothing to change/, 2],
      ['product show', /name one product/, 2],
    ]
    for (const [line, sentence, code = 1] of refused) {
      const said = await portaria(line)
      assert.equal(said.code, code, line)
      assert.match(said.err, sentence)
      assert.match(said.err, /^portaria: [^\n]+\n$/)
    }
    assert.equal((await portaria('product list --json')).json.length, 1)
  })
})

eachDatabase('The plan commands', (database) => {
  it('make, change and list plans of the operator and of products', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(INTERNAL)
    const made = await portaria([
      'plan',
      'set',
      '--slug',
      'pro',
      '--name',
      'Pro',
      '--price',
      '9900',
      '--gateway-ref',
      'stripe:price_1',
      '--gateway-ref',
      'asaas:link',
      '--json',
    ])
    assert.deepEqual([made.json.slug, made.json.price, made.json.product], ['pro', 9900, null])
    assert.deepEqual(made.json.gateway_refs, [
      { gateway: 'asaas', ref: 'link' },
      { gateway: 'stripe', ref: 'price_1' },
    ])
    const changed = await portaria('plan set --slug pro --name Professional --price 12900 --json')
    assert.deepEqual([changed.json.id, changed.json.name, changed.json.gateway_refs.length], [made.json.id, 'Professional', 2])
    assert.equal((await portaria('plan set --slug mini --name Mini --price 900 --product academy')).code, 0)
    const list = (await portaria('plan list --json')).json
    assert.deepEqual(
      list.map(({ slug, product }: { slug: string; product: string | null }) => [slug, product]),
      [
        ['mini', 'academy'],
        ['pro', null],
      ],
    )
    assert.deepEqual((await portaria(`plan list --cursor ${list[0].id} --json`)).json.length, 1)
    assert.equal((await portaria('plan list --product academy --json')).json.length, 1)
    assert.match((await portaria('plan list')).out, /R\$ 129,00/)
  })

  it('L15: say what becomes of a payment below the price of a plan, and keep it until it is said anew', async () => {
    const portaria = commandLine(await database.fresh())
    const set = async (more: string) => (await portaria(`plan set --slug fixo --name Fixo --price 9900${more} --json`)).json.below_price
    assert.deepEqual([await set(''), await set(' --below-price hold'), await set('')], ['apply', 'hold', 'hold'])
    assert.match((await portaria('plan set --slug fixo --name Fixo --price 9900')).out, /^below its price +hold$/m)
    assert.match((await portaria('plan list')).out, /^fixo +Fixo +R\$ 99,00 +hold /m)
    assert.equal(await set(' --below-price apply'), 'apply')
  })

  it('refuse what can’t be', async () => {
    const portaria = commandLine(await database.fresh())
    const refused: Array<[string, RegExp, number]> = [
      ['plan set --slug Pro! --name Pro --price 1', /slug can't be used/, 1],
      [`plan set --slug pro --name ${'x'.repeat(101)} --price 1`, /the name must/, 1],
      ['plan set --slug pro --name Pro --price 49,00', /whole centavos/, 2],
      ['plan set --slug pro --name Pro --price 1 --product none', /no such product/, 1],
      ['plan set --slug pro --name Pro --price 1 --gateway-ref paypal:1', /GATEWAY:REF/, 2],
      ['plan set --slug pro --name Pro --price 1 --below-price refuse', /Expected apply, hold/, 2],
      ['plan list --product none', /no such product/, 1],
    ]
    for (const [line, sentence, code] of refused) {
      const said = await portaria(line)
      assert.equal(said.code, code, line)
      assert.match(said.err, sentence)
    }
  })
})
