import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { listAudit } from '../../../src/audit/index.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { wantPng, wantSvg } from '../../support/routes/brand-files.ts'
import { startForSuite, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { type Admin, adminOf, lastAudit, scriptOf, versionOf } from '../../support/users/admins.ts'
import { assertRefused, EXTERNAL, loginAddress } from '../../support/users/sign-in-steps.ts'

type Look = Record<string, string | null> & { shown: Record<string, string | null> }

/** Changes a look as the console does: with the version that was read. */
async function change(admin: Admin, body: object, path = '/appearance') {
  return admin.send('PATCH', path, body, { version: versionOf(await admin.get(path)) })
}

async function addImage(admin: Admin, content: Buffer | string): Promise<string> {
  const added = await admin.send('POST', '/appearance/images', { content: Buffer.from(content).toString('base64') })
  assert.equal(added.status, 201, added.text)
  return added.json<{ id: string }>().id
}

const POLICY =
  /^default-src 'none'; style-src 'unsafe-hashes' ((?:'sha256-[\w+/=]+' ?)+); img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin$/

/** The texts that a browser hashes: those of style elements and of style attributes. */
function stylesIn(markup: string): string[] {
  return [...markup.matchAll(/<style>([^<]*)<\/style>| style="([^"]*)"/g)].map(([, sheet, ofElement]) => sheet ?? ofElement ?? '')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')

eachDatabase('The look of pages', (database) => {
  const service = startForSuite(database)

  it('is Portaria’s own until the operator has one, and the operator’s on every page from then on', async () => {
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const before = await owner.get('/appearance')
    const { shown, ...own } = before.json<Look>()
    assert.deepEqual(new Set(Object.values(own)), new Set([null]))
    assert.equal(shown.name, 'Portaria')
    const page = (await service().browser().get('/login')).text
    assert.match(page, /<title>[^<]* · Portaria<\/title>/)
    const usual = await service().browser().get('/favicon.ico')
    assert.deepEqual([usual.status, usual.headers.get('content-type')], [200, 'image/x-icon'])
    const touch = (await service().browser().get('/apple-touch-icon.png')).headers.get('location') ?? ''
    assert.ok(page.includes(`<link rel="apple-touch-icon" href="${touch}">`), touch)
    assert.ok(page.includes(`<meta property="og:image" content="${service().url}${touch}">`))
    const png = await service().browser().get(touch)
    assert.deepEqual([png.status, png.headers.get('content-type')], [200, 'image/png'])
    const wanted = {
      name: '  Cursos <do> João  ',
      accent: '#1A4FD6',
      logo_light: await addImage(owner, wantSvg()),
      logo_dark: await addImage(owner, wantPng(400, 100)),
      favicon: await addImage(owner, wantPng(64, 64)),
      support_url: 'mailto:ajuda@cursos.example',
      terms_url: 'https://cursos.example/termos?a=1&b=2',
      privacy_url: 'https://cursos.example/privacidade',
      footer: 'Cursos do João Ltda <b>CNPJ</b>',
      reason: 'marca nova',
    }
    const changed = await change(owner, wanted)
    assert.equal(changed.status, 200, changed.text)
    assert.notEqual(versionOf(changed), versionOf(before))
    const entry = await lastAudit(service(), 'appearance.change')
    assert.deepEqual([entry.actor, entry.target, entry.reason, entry.before], [`user:${owner.id}`, 'operator', 'marca nova', {}])
    const visitor = service().browser()
    for (const path of [
      '/login',
      '/sign-up',
      '/recover',
      '/auth/login',
      '/nowhere',
      '/verify?ticket=x',
      '/auth/welcome?flow=x',
      '/auth/signout',
    ]) {
      const { text } = await visitor.get(path)
      assert.doesNotMatch(text.replaceAll(service().url, ''), /portaria/i, path)
      assert.match(text, /<title>[^<]* · Cursos &#60;do&#62; João<\/title>/, path)
      assert.match(
        text,
        /<picture><source srcset="\/assets\/brand\/[0-9a-f]{32}\.png" media="\(prefers-color-scheme: dark\)"><img class="logo" src="\/assets\/brand\/[0-9a-f]{32}\.svg" alt="Cursos &#60;do&#62; João" width="168" height="56"><\/picture>/,
        path,
      )
      for (const link of [
        'mailto:ajuda@cursos.example',
        'https://cursos.example/termos?a&#61;1&#38;b&#61;2',
        'https://cursos.example/privacidade',
      ])
        assert.ok(text.includes(`href="${link}"`), `${path}: ${link}`)
      assert.match(text, /CNPJ&#60;\/b&#62;<\/p>/, path)
      assert.match(text, /<link rel="stylesheet" href="\/assets\/brand\/accent-1a4fd6-[0-9a-f]{8}\.css">/, path)
    }
    const signUp = (await visitor.get('/sign-up?lang=en')).text
    const icon = /<link rel="apple-touch-icon" href="(\/assets\/brand\/[0-9a-f]{32}\.png)">/.exec(signUp)?.[1] ?? ''
    for (const [property, content] of [
      ['site_name', 'Cursos &#60;do&#62; João'],
      ['title', 'Create your account'],
      ['description', 'Cursos &#60;do&#62; João: one account for all your apps.'],
      ['image', `${service().url}${icon}`],
    ])
      assert.ok(signUp.includes(`<meta property="og:${property}" content="${content}">`), property)
    for (const path of ['/favicon.ico', '/apple-touch-icon.png']) {
      const { status, headers } = await visitor.get(path)
      assert.deepEqual([status, headers.get('location')], [302, icon], path)
    }
    assert.match(
      signUp,
      /By creating an account you agree to the <a href="https:\/\/cursos\.example\/termos[^"]*">terms of use<\/a> and the <a/,
    )
    const again = await change(owner, {
      terms_url: null,
      name: null,
      logo_light: null,
      logo_dark: null,
      favicon: null,
      accent: null,
      support_url: null,
      privacy_url: null,
      footer: null,
    })
    assert.equal(again.status, 200, again.text)
    assert.equal((await visitor.get('/login')).text.includes('Cursos'), false)
  })

  it('has a PNG of its own for home screens and messengers, where logo and icon are drawings', async () => {
    const owner = await adminOf(service(), 'celular@example.com', 'owner')
    const [drawing, square] = [Buffer.from(wantSvg()), Buffer.from(wantSvg({ width: 32, height: 32 }))]
    const touch = await addImage(owner, wantPng(180, 180))
    const wanted = {
      name: 'Celular',
      logo_light: await addImage(owner, drawing),
      favicon: await addImage(owner, square),
      touch_icon: touch,
    }
    assert.equal((await change(owner, wanted)).status, 200)
    const path = `/assets/brand/${touch}.png`
    const pages = ['/login', '/sign-up', '/recover', '/nowhere', '/verify?ticket=x', '/auth/welcome?flow=x', '/auth/signout', '/auth/login']
    for (const page of pages) {
      const { text } = await service().browser().get(page)
      assert.ok(text.includes(`<link rel="apple-touch-icon" href="${path}">`), page)
      assert.ok(text.includes(`<meta property="og:image" content="${service().url}${path}">`), page)
      assert.match(text, /<meta property="og:title" content="[^"]+">/, page)
      assert.ok(text.includes('<meta property="og:site_name" content="Celular">'), page)
    }
    assert.equal((await service().browser().get('/apple-touch-icon.png')).headers.get('location'), path)
    // A product with an icon of its own does not have the operator's on phones.
    const { product } = await service().product({ slug: 'proprio', uris: ['https://proprio.example/cb'] })
    const at = `/products/${product.id}/appearance`
    const shown = async () => (await owner.get(at)).json<{ shown: { touch_icon_url: string | null } }>().shown.touch_icon_url
    assert.equal(await shown(), service().url + path)
    assert.equal((await change(owner, { favicon: await addImage(owner, wantPng(64, 64)) }, at)).status, 200)
    assert.notEqual(await shown(), service().url + path)
    const nothing = { name: null, logo_light: null, favicon: null, touch_icon: null }
    assert.equal((await change(owner, nothing)).status, 200)
  })

  it('of a product is on the pages of its sign-ins alone, with the operator’s for what it leaves empty', async () => {
    const owner = await adminOf(service(), 'marcas@example.com', 'owner')
    const { product } = await service().product({ slug: 'academia', uris: [EXTERNAL] })
    assert.equal((await change(owner, { name: 'Grupo', support_url: 'https://grupo.example/' })).status, 200)
    const path = `/products/${product.id}/appearance`
    assert.equal((await change(owner, { name: 'Academia', accent: '#7a1fa2' }, path)).status, 200)
    const shown = (await owner.get(path)).json<Look>()
    assert.deepEqual(
      [shown.product, shown.support_url, shown.shown.support_url, shown.shown.name],
      ['academia', null, 'https://grupo.example/', 'Academia'],
    )
    const browser = service().browser()
    const login = await browser.get(loginAddress({ redirect_to: EXTERNAL }))
    const nameOf = (text: string) => /<title>.* · (.*)<\/title>/.exec(text)?.[1]
    assert.equal(nameOf(login.text), 'Academia')
    assert.match(login.text, /<span class="mark initial" aria-hidden="true">A<\/span>Academia/)
    assert.match(login.text, /href="https:\/\/grupo\.example\/"/)
    for (const [, way = ''] of login.text.matchAll(/href="(\/(?:sign-up|recover)\?flow[^"]*)"/g)) {
      const next = await browser.get(way.replaceAll('&#61;', '=').replaceAll('&#38;', '&'))
      assert.equal(nameOf(next.text), 'Academia', way)
    }
    assert.equal(nameOf((await browser.get('/login')).text), 'Grupo')
    assert.equal((await owner.get('/products/0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21/appearance')).status, 404)
    assert.equal((await change(owner, { name: null, support_url: null })).status, 200)
  })

  it('refuses each field that can not be, with its word, and changes nothing', async () => {
    const owner = await adminOf(service(), 'recusa@example.com', 'owner')
    const wide = await addImage(owner, wantPng(80, 40))
    const drawing = await addImage(owner, Buffer.from(wantSvg({ width: 32, height: 32 })))
    const nothing = {
      name: null,
      logo_light: null,
      logo_dark: null,
      favicon: null,
      accent: null,
      terms_url: null,
      privacy_url: null,
      footer: null,
    }
    const before = await change(owner, nothing)
    for (const [body, field, why] of [
      [{ name: '' }, 'name', 'malformed'],
      [{ name: ' \u2800 ' }, 'name', 'malformed'],
      [{ name: 'a\u202eb' }, 'name', 'malformed'],
      [{ name: 'a\r\nBcc: x@y.z' }, 'name', 'malformed'],
      [{ name: 'x'.repeat(61) }, 'name', 'malformed'],
      [{ name: 7 }, 'name', 'invalid_type'],
      [{ accent: 'red' }, 'accent', 'malformed'],
      [{ accent: '#1a4fd6;}body{display:none' }, 'accent', 'malformed'],
      [{ accent: '#ffd400' }, 'accent', 'too_little_contrast'],
      [{ logo_light: 'f'.repeat(32) }, 'logo_light', 'no_such_image'],
      [{ logo_light: '../../etc/passwd' }, 'logo_light', 'malformed'],
      [{ logo_dark: wide }, 'logo_dark', 'needs_light_logo'],
      [{ favicon: wide }, 'favicon', 'not_square'],
      [{ touch_icon: wide }, 'touch_icon', 'not_square'],
      [{ touch_icon: drawing }, 'touch_icon', 'not_a_png'],
      [{ sender_name: 'Ana" <ana@evil.example>' }, 'sender_name', 'malformed'],
      [{ reply_to: 'nobody' }, 'reply_to', 'malformed'],
      [{ reply_to: 'a@b.example, c@d.example' }, 'reply_to', 'malformed'],
      [{ support_url: 'javascript:alert(1)' }, 'support_url', 'malformed'],
      [{ support_url: 'http://x.example/' }, 'support_url', 'malformed'],
      [{ support_url: '//x.example/' }, 'support_url', 'malformed'],
      [{ support_url: 'https://user:word@x.example/' }, 'support_url', 'malformed'],
      [{ terms_url: 'https://x.example/"onmouseover="alert(1)' }, 'terms_url', 'malformed'],
      [{ privacy_url: 'mailto:a@b.example?cc=c@d.example' }, 'privacy_url', 'malformed'],
      [{ privacy_url: `https://x.example/${'a'.repeat(500)}` }, 'privacy_url', 'too_big'],
      [{ footer: 'x'.repeat(201) }, 'footer', 'malformed'],
      [{ css: 'body{}' }, 'css', 'unknown'],
    ] as const) {
      const answer = await change(owner, { footer: 'Ltda', ...body })
      assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.text}`)
      const { fields } = answer.json<{ fields: Record<string, string> }>()
      assert.equal(fields[field], why, answer.text)
    }
    const yellow = (await change(owner, { accent: '#ffd400' })).json<{ fields: Record<string, string> }>()
    assert.equal(yellow.fields['accent.ratio'], '1.32')
    const nearest = yellow.fields['accent.nearest'] ?? ''
    assert.equal((await owner.get('/appearance')).text, before.text)
    assert.equal((await change(owner, { accent: nearest })).status, 200)
    assert.equal((await change(owner, { accent: null })).status, 200)
  })

  it('takes no picture that could act, is too large or damaged', async () => {
    const script = await scriptOf(service(), 'owner', ['appearance:write'])
    const post = (content: Buffer | string) =>
      script.send('POST', '/appearance/images', { content: Buffer.from(content).toString('base64') })
    for (const [content, fields] of [
      [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>',
        { content: 'svg_element', 'content.what': 'script' },
      ],
      [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" onload="alert(1)"/>',
        { content: 'svg_handler', 'content.what': 'onload' },
      ],
      [wantPng(3_000, 10), { content: 'png_size' }],
      [wantPng(10, 10).subarray(0, 40), { content: 'png_damaged' }],
      [Buffer.alloc(200 * 1024 + 1, 1), { content: 'image_too_large' }],
      ['', { content: 'image_empty' }],
      ['<html><script>', { content: 'not_an_image' }],
    ] as const)
      assert.deepEqual((await post(content)).json<{ fields: object }>().fields, fields)
    const notBase64 = await script.send('POST', '/appearance/images', { content: '<svg/>' })
    assert.deepEqual(notBase64.json<{ fields: object }>().fields, { content: 'not_base64' })
    assert.equal((await post(Buffer.alloc(10 * 1024 * 1024))).status, 413)
    const images = async () => (await listAudit(service().context.storage.db, { limit: 100, action: 'appearance.add_image' })).length
    const before = await images()
    const many = await Promise.all(Array.from({ length: 8 }, () => addImage(script, wantPng(31, 31))))
    assert.equal(new Set(many).size, 1)
    assert.equal(await images(), before + 1)
  })

  it('is shown to all administrators, and changed by owners alone, who have just authenticated, from what they saw', async () => {
    const viewer = await adminOf(service(), 'so-ve@example.com', 'viewer')
    assert.equal((await viewer.get('/appearance')).status, 200)
    assertRefused(await viewer.send('PATCH', '/appearance', { name: 'x' }, { version: 'x' }), 403, 'nao permitido')
    const support = await adminOf(service(), 'apoio@example.com', 'support')
    assertRefused(await support.send('POST', '/appearance/images', { content: 'eA==' }), 403, 'nao permitido')
    const owner = await adminOf(service(), 'dupla@example.com', 'owner')
    const version = versionOf(await owner.get('/appearance'))
    assertRefused(await owner.send('PATCH', '/appearance', { name: 'x' }), 428, 'If-Match ausente')
    const answers = await Promise.all(['Um', 'Dois', 'Três'].map((name) => owner.send('PATCH', '/appearance', { name }, { version })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412])
    service().clock.now += 11 * 60_000
    const late = await owner.send('PATCH', '/appearance', { name: null }, { version: versionOf(await owner.get('/appearance')) })
    assertRefused(late, 403, 'prova recente necessaria')
    const script = await scriptOf(service(), 'owner', ['appearance:read', 'appearance:write'])
    assert.equal((await change(script, { name: null })).status, 200)
  })

  it('has files that browsers keep, in a sandbox, under the hash of their content alone', async () => {
    const script = await scriptOf(service(), 'owner', ['appearance:write', 'appearance:read'])
    const id = await addImage(script, wantSvg())
    const browser = service().browser()
    const file = await browser.get(`/assets/brand/${id}.svg`)
    assert.equal(file.status, 200)
    assert.deepEqual(
      [
        'content-type',
        'cache-control',
        'x-content-type-options',
        'content-security-policy',
        'cross-origin-resource-policy',
        'set-cookie',
      ].map((name) => file.headers.get(name)),
      [
        'image/svg+xml',
        'public, max-age=31536000, immutable',
        'nosniff',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
        'cross-origin',
        null,
      ],
    )
    const { shown } = (await change(script, { name: 'Ágil', accent: '#7a1fa2' })).json<Look>()
    const icon = await browser.get(shown.favicon_url ?? '')
    assert.match(icon.text, /^<svg [^>]*><rect [^>]*fill="#7a1fa2"\/><text [^>]*>Á<\/text><\/svg>$/)
    const styles = /href="(\/assets\/brand\/accent-[^"]*)"/.exec((await browser.get('/login')).text)?.[1] ?? ''
    assert.match((await browser.get(styles)).text, /^:root\{--accent:#7a1fa2;[^<>]*\}\}\n$/)
    const otherDigest = styles.replace(/.{12}$/, '00000000.css')
    for (const path of [
      `/assets/brand/${id}.png`,
      `/assets/brand/${'0'.repeat(32)}.svg`,
      `/assets/brand/${id}`,
      '/assets/brand/accent-ffd400-00000000.css',
      otherDigest,
      '/assets/brand/letter-3c-7a1fa2-ffffff-00000000.svg',
      '/assets/brand/..%2f..%2fetc',
      '/assets/brand/%00',
    ])
      assert.equal((await browser.get(path)).status, 404, path)
    assert.equal((await change(script, { name: null, accent: null })).status, 200)
  })

  it('is shown before it is saved: the sign-in, the sign-up and a mail, in each language, where nothing can be pressed', async () => {
    const owner = await adminOf(service(), 'previa@example.com', 'owner')
    const viewer = await adminOf(service(), 'olha-previa@example.com', 'viewer')
    const { product } = await service().product({ slug: 'previa', name: 'Prévia', audience: 'external', checkout: 'external' })
    const logo = await addImage(owner, wantPng(440, 112))
    assert.equal((await change(owner, { name: 'Maré', footer: 'Maré Ltda', accent: '#1a4fd6' })).status, 200)
    const draft = {
      name: 'Sol <b>',
      accent: '#ffd400',
      logo_light: logo,
      terms_url: 'https://sol.example/t',
      support_url: 'javascript:alert(1)',
    }
    const preview = async (query: Record<string, string>, admin = owner) => admin.get(`/appearance/preview?${new URLSearchParams(query)}`)
    for (const language of ['pt-BR', 'en', 'es']) {
      for (const page of ['sign_in', 'sign_up', 'mail']) {
        const shown = await preview({ page, language, ...draft }, viewer)
        assert.equal(shown.status, 200, shown.text)
        assert.match(shown.text, new RegExp(`<html lang="${language}">`))
        assert.match(shown.text, new RegExp(`src="/assets/brand/${logo}.png" alt="Sol &#60;b&#62;"`))
        assert.match(shown.text, /Maré Ltda/)
        // A refused colour and address stay as they are stored: the blue, and none.
        assert.match(shown.text, /#1a4fd6/)
        assert.doesNotMatch(shown.text, /javascript:|<script|<a [^>]* href=|ffd400/)
        assert.equal(/sol\.example/.test(shown.text), false)
        const [, hashes = ''] = POLICY.exec(shown.headers.get('content-security-policy') ?? '') ?? assert.fail('another policy')
        for (const style of stylesIn(shown.text)) assert.ok(hashes.includes(`'sha256-${sha256(style)}'`), `${page}: ${style.slice(0, 80)}`)
        assert.equal(hashes.includes(sha256('color:red')), false)
        assert.deepEqual(
          ['x-frame-options', 'content-type', 'cache-control', 'set-cookie'].map((name) => shown.headers.get(name)),
          ['SAMEORIGIN', 'text/html; charset=utf-8', 'no-store', null],
        )
      }
    }
    assert.match((await preview({ page: 'sign_up', language: 'en', ...draft })).text, /terms/i)
    for (const [scheme, media] of [
      ['light', /@media not all/],
      ['dark', /@media all/],
    ] as const) {
      const { text } = await preview({ page: 'mail', language: 'en', scheme })
      assert.match(text, media)
      assert.match(text, new RegExp(`<meta name="color-scheme" content="${scheme}">`))
      assert.doesNotMatch(text, /prefers-color-scheme/)
    }
    const ofApp = await preview({ page: 'sign_in', language: 'en', product: product.slug, accent: '#7a1fa2', footer: '' })
    assert.match(ofApp.text, /Prévia/)
    assert.match(ofApp.text, /#7a1fa2/)
    assert.match(ofApp.text, /Maré Ltda/)
    assert.doesNotMatch((await preview({ page: 'sign_in', language: 'en', footer: '' })).text, /Maré Ltda/)
    assertRefused(await preview({ page: 'sign_in', language: 'en', product: 'nenhum' }), 400, 'produto nao encontrado')
    for (const [query, fields] of [
      [{ page: 'account', language: 'en' }, { page: 'invalid_value' }],
      [{ page: 'sign_in', language: 'en', colour: 'x' }, { colour: 'unknown' }],
    ] as const) {
      const refused = await preview(query)
      assert.deepEqual([refused.status, refused.json<{ fields: object }>().fields], [400, fields])
    }
    assert.match((await service().browser().get('/login')).text, / · Maré</)
    assert.equal((await change(owner, { name: null, accent: null, footer: null })).status, 200)
  })

  it('has a colour whose contrast is said before it is saved', async () => {
    const viewer = await adminOf(service(), 'cores@example.com', 'viewer')
    const examine = async (accent: string) => viewer.get(`/appearance/accent?${new URLSearchParams({ accent })}`)
    assert.deepEqual((await examine('1A4FD6')).json(), { accent: '#1a4fd6', ratio: 6.18, nearest: null })
    const yellow = (await examine(' #fd0 ')).json<{ accent: string; ratio: number; nearest: string }>()
    assert.deepEqual([yellow.accent, yellow.ratio < 1.4], ['#ffdd00', true])
    assert.equal((await examine(yellow.nearest)).json<{ nearest: null }>().nearest, null)
    const refused = await examine('red')
    assert.deepEqual([refused.status, refused.json<{ fields: object }>().fields], [400, { accent: 'malformed' }])
  })

  it('reaches every node, and its pages without a route too', async () => {
    const url = await database.fresh()
    const [one, other] = [await startService(url), await startService(url)]
    const script = await scriptOf(one, 'owner', ['appearance:write', 'appearance:read'])
    const page = async () => (await other.browser().get('/nowhere')).text
    assert.match(await page(), / · Portaria</)
    assert.equal((await change(script, { name: 'Por toda parte' })).status, 200)
    await until(async () => / · Por toda parte</.test(await page()))
  })
})

eachDatabase('The look of mails', (database) => {
  it('has the name, logo, colours, sender, reply address and foot of the operator, and of the app where the sign-in began', async () => {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh(), { environment: { PORTARIA_SMTP_URL: mailbox.url } })
    const script = await scriptOf(service, 'owner', ['appearance:write', 'appearance:read'])
    const recipient = (name: string) => `${name}.${database.name}@example.com`
    const signUp = async (browser: Browser, page: string, email: string) => {
      const form = await browser.get(page)
      const flow = hiddenFlow(form.text)
      const sent = await browser.submit('/sign-up', { flow, name: 'Ana Souza', email, password: 'uma senha bem longa' })
      assert.equal(sent.status, 302, sent.text)
      return mailbox.find(email)
    }
    const plain = await signUp(service.browser(), '/sign-up?lang=en', recipient('antes'))
    assert.deepEqual([plain.from?.name, plain.replyTo], ['Portaria', undefined])
    assert.match(plain.html ?? '', />Portaria<\/span>/)
    const logo = await addImage(script, wantPng(440, 112))
    const look = {
      name: 'Cursos <i>do</i> João',
      accent: '#1a4fd6',
      logo_light: logo,
      reply_to: 'ajuda@cursos.example',
      support_url: 'mailto:ajuda@cursos.example',
      terms_url: 'https://cursos.example/termos',
      footer: 'Cursos Ltda <b>CNPJ</b>',
    }
    assert.equal((await change(script, look)).status, 200)
    const { product } = await service.product({ slug: 'academia', uris: [EXTERNAL] })
    assert.equal(
      (await change(script, { sender_name: 'Academia, equipe', logo_light: null, name: 'Academia' }, `/products/${product.id}/appearance`))
        .status,
      200,
    )
    const mail = await signUp(service.browser(), '/sign-up?lang=en', recipient('depois'))
    assert.deepEqual(
      [mail.from?.name, mail.from?.address, mail.replyTo?.[0]?.address],
      ['Cursos <i>do</i> João', plain.from?.address, 'ajuda@cursos.example'],
    )
    const { html = '', text = '' } = mail
    assert.ok(
      html.includes(
        `<img class="ink" src="${service.url}/assets/brand/${logo}.png" alt="Cursos &#60;i&#62;do&#60;/i&#62; João" width="220" height="56"`,
      ),
      html,
    )
    assert.match(html, /background:#1a4fd6/)
    assert.match(html, /href="https:\/\/cursos\.example\/termos"[^>]*>Terms of use</)
    assert.match(html, /Cursos Ltda &#60;b&#62;CNPJ/)
    assert.match(text, /^-- \nCursos <i>do<\/i> João\nCursos Ltda <b>CNPJ<\/b>\n/m)
    assert.match(
      text,
      /Questions\? Reply to this email\.\nSupport: ajuda@cursos\.example\nTerms of use: https:\/\/cursos\.example\/termos\s*$/,
    )
    for (const part of [html, text, mail.subject ?? '']) assert.doesNotMatch(part.replaceAll(service.url, ''), /portaria/i)
    const browser = service.browser()
    const login = await browser.get(`${loginAddress({ redirect_to: EXTERNAL })}&lang=en`)
    const way = /href="(\/sign-up\?flow[^"]*)"/.exec(login.text)?.[1] ?? ''
    const ofApp = await signUp(browser, way.replaceAll('&#61;', '=').replaceAll('&#38;', '&'), recipient('app'))
    assert.equal(ofApp.from?.name, 'Academia, equipe')
    assert.match(ofApp.html ?? '', />A<\/span><span[^>]*>Academia<\/span>/)

    const user = await service.user(recipient('esqueceu'))
    const recover = /href="(\/recover\?flow[^"]*)"/.exec(login.text)?.[1] ?? ''
    const form = await browser.get(recover.replaceAll('&#61;', '=').replaceAll('&#38;', '&'))
    assert.equal((await browser.submit('/recover', { flow: hiddenFlow(form.text), email: user.email })).status, 200)
    const link = /https?:\S+\/reset-password\S+/.exec((await mailbox.find(user.email)).text ?? '')?.[0] ?? assert.fail('no link')
    const { pathname, search } = new URL(link)
    // Opened elsewhere, as on a phone.
    const reset = await service.browser().get(`${pathname}${search}`)
    assert.equal(reset.status, 200)
    assert.match(reset.text, /<title>[^<]+ · Academia<\/title>/)
    const weak = await service
      .browser()
      .submit('/reset-password', { ticket: new URLSearchParams(search).get('ticket') ?? '', password: 'x' })
    assert.deepEqual([weak.status, / · Academia<\/title>/.test(weak.text)], [400, true])
  })
})
