import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BUILT_IN_LOOK, languages } from '../pages/index.ts'
import { composeMail, type MailData, type MailKind } from './index.ts'

const url = 'https://sso.example.com/auth/confirm?ticket=tk_1&lang=pt-BR'
const otherUrl = 'https://sso.example.com/auth/recover?a=1&b=2'
const when = Date.UTC(2026, 10, 21, 2, 40)

/** One mail of each kind, with `said` as every value from users. */
function samples(said: string): MailData {
  const whereabouts = { name: said, when, device: said, ip: isIP(said) ? said : '203.0.113.7' }
  return {
    confirm_address: { name: said, code: '048151', url, minutes: 30 },
    account_exists: { name: said, signInUrl: url, recoverUrl: otherUrl },
    reset_password: { name: said, url, minutes: 30 },
    password_changed: { ...whereabouts, recoverUrl: url, passkeys: 1 },
    passkey_added: { ...whereabouts, reportUrl: url },
    passkey_removed: { ...whereabouts, reportUrl: url },
    confirm_new_address: { name: said, url, minutes: 30 },
    address_changed: { name: said, newAddress: 'new@example.com', reportUrl: url },
    second_factor_on: { ...whereabouts, reportUrl: url },
    recovery_codes_renewed: { ...whereabouts, reportUrl: url },
    second_factor_off: { ...whereabouts, reportUrl: url },
    factors_removed: { name: said, when, reportUrl: url },
    recovery_code_used: { ...whereabouts, left: 7, reportUrl: url },
    tax_id_corrected: { ...whereabouts, taxId: said, reportUrl: url },
    tax_id_changed_by_support: { name: said, when, taxId: said, reportUrl: url },
    new_device: { ...whereabouts, reportUrl: url },
    invitation: { name: said, url, days: 7 },
    endpoint_failing: { name: said, endpoint: said, product: said, since: when, answer: said, disablesAt: when + 4 * 86_400_000, url },
    endpoint_disabled: { name: said, endpoint: said, product: said, since: when, answer: said, cause: 'gone', url },
    role_given: { name: said, role: 'support', url },
    identity_linked: { name: said, provider: said, reportUrl: url },
    identity_unlinked: { ...whereabouts, provider: said, reportUrl: url },
    account_claimed: { name: said, provider: said },
    impersonated: { name: said, when, until: when + 900_000, reason: said },
    deletion_requested: { name: said, dueAt: when, undoUrl: url, days: 7 },
    account_deleted: { name: said },
  }
}

/** Times and names of ours: a mail has them as people write them. */
const WRITTEN_OUT: ReadonlySet<string> = new Set(['when', 'until', 'dueAt', 'since', 'disablesAt', 'role', 'cause'])

const kinds = Object.keys(samples('')) as MailKind[]

function everyMail(said: string) {
  const data = samples(said)
  return languages.flatMap((language) =>
    kinds.map((kind) => ({
      what: `${kind} in ${language}`,
      kind,
      language,
      data: data[kind],
      mail: composeMail(kind, language, data[kind]),
    })),
  )
}

describe('what a mail says', () => {
  for (const { what, data, mail } of everyMail('Ana')) {
    test(`${what} says in text and in HTML all it was given`, () => {
      const shown = readable(mail.html)
      for (const [field, value] of Object.entries(data)) {
        if (WRITTEN_OUT.has(field)) continue
        assert.ok(mail.text.includes(String(value)), `${field} in the text`)
        assert.ok(shown.includes(String(value)) || linksOf(mail.html).includes(String(value)), `${field} in the HTML`)
      }
    })

    test(`${what} says in its HTML every word of its text`, () => {
      const shown = readable(mail.html).toLowerCase()
      const links = linksOf(mail.html.toLowerCase())
      const lines = mail.text
        .replace('-- \n', '')
        .split('\n')
        .map((line) => line.trim().toLowerCase())
        .filter(Boolean)
      for (const line of lines) for (const part of line.split(/: (?!.*: )/)) assert.ok(shown.includes(part) || links.includes(part), part)
    })

    test(`${what} has a subject of its own without its code, and says that nobody asks for codes`, () => {
      assert.match(mail.subject, /^\p{L}[^\p{C}\d]{9,60}$/u)
      assert.match(mail.text, /códigos|codes/)
      assert.match(mail.html, /códigos|codes/)
    })

    test(`${what} fetches nothing, runs nothing and links only where it was asked to`, () => {
      const given = Object.values(data).filter((value) => String(value).startsWith('https:'))
      assert.deepEqual(new Set(linksOf(mail.html)), new Set(given))
      assert.deepEqual(new Set(mail.text.match(/https?:\S+/g)), new Set(given))
      const beside = readable(mail.html).match(/https?:\S+/g) ?? []
      assert.deepEqual(new Set(beside), new Set(given.slice(0, 1)), 'the link of the button is there to copy')
      assert.doesNotMatch(
        mail.html,
        /<(img|script|link|iframe|form|input|object|video|svg|base)\b|\bsrc=|url\(|@import|background=|\son\w+=/i,
      )
      assert.ok(Buffer.byteLength(mail.html) < 20_000, 'far below the 102 kB at which Gmail cuts')
    })

    test(`${what} knows its language, the dark scheme and narrow screens`, () => {
      assert.match(mail.html, /^<!doctype html>\n<html lang="(pt-BR|en|es)">/)
      assert.match(mail.html, /<meta name="color-scheme" content="light dark">/)
      assert.match(mail.html, /prefers-color-scheme:dark/)
      assert.match(mail.html, /max-width:600px/)
    })
  }

  test('a mail has the name of the operator where there is one, and our own in those to administrators alone', () => {
    const ours = new Set<MailKind>(['role_given', 'endpoint_failing', 'endpoint_disabled'])
    for (const { what, kind, language, data } of everyMail('Ana')) {
      const { subject, text, html } = composeMail(kind, language, data, { ...BUILT_IN_LOOK, name: 'Maré', mark: 'letter' })
      assert.match(html, /Maré/, what)
      assert.equal(/portaria/i.test(`${subject} ${text} ${html}`), ours.has(kind), what)
    }
  })

  test('a mail has our own mark, and that of an operator without a logo is the first letter of the name', () => {
    for (const { kind, language, data } of everyMail('Ana').slice(0, 1)) {
      const ours = composeMail(kind, language, data).html
      assert.match(ours, /class="brand-mark"[^>]*><span class="gate-posts"[^>]*><span class="gate-lamp"/)
      assert.doesNotMatch(ours, /aria-hidden="true"[^>]*>P</)
      const theirs = composeMail(kind, language, data, { ...BUILT_IN_LOOK, name: 'Maré', mark: 'letter' }).html
      assert.match(theirs, /class="brand-mark"[^>]*>M</)
    }
  })

  test('a logo that a client does not load is its name, in a colour that is read in both schemes', () => {
    const light = { path: '/assets/brand/x.png', type: 'image/png', width: 400, height: 100 } as const
    for (const { kind, language, data } of everyMail('Ana').slice(0, 1)) {
      const { html } = composeMail(kind, language, data, { ...BUILT_IN_LOOK, name: 'Maré', mark: 'letter', logo: { light } })
      assert.match(html, /<img class="ink" src="\/assets\/brand\/x\.png" alt="Maré"/)
      assert.match(html, /prefers-color-scheme:dark\)\{[^@]*\.ink\{color:#eef3f0!important\}/)
    }
  })

  test('no two kinds have the same subject, and no mail is the same in two languages', () => {
    const all = everyMail('Ana')
    for (const language of languages) {
      const subjects = all.filter((one) => one.language === language).map(({ mail }) => mail.subject)
      assert.equal(new Set(subjects).size, kinds.length)
    }
    assert.equal(new Set(all.map(({ mail }) => mail.text)).size, kinds.length * languages.length)
  })

  test('the link to the account’s own address names no new one, and has a subject of its own', () => {
    for (const language of languages) {
      const data = samples('Ana').confirm_new_address
      const [other, own] = [data, { ...data, isPresent: true as const }].map((one) => composeMail('confirm_new_address', language, one))
      assert.notEqual(own?.subject, other?.subject)
      assert.match(own?.subject ?? '', /^\p{L}[^\p{C}\d]{9,60}$/u)
      assert.match(other?.text ?? '', / nov[oa] | nuevo | new /)
      assert.doesNotMatch(own?.text ?? '', / nov[oa] | nuevo | new /)
    }
  })

  test('a time is given in São Paulo’s, and says so', () => {
    const text = (language: (typeof languages)[number]) => composeMail('new_device', language, samples('Ana').new_device).text
    assert.match(text('pt-BR'), /Quando: 20 de novembro de 2026 às 23:40 \(horário de Brasília, GMT-3\)/)
    assert.match(text('en'), /When: November 20, 2026 at 11:40 PM \(Brasília time, GMT-3\)/)
    const { text: leaving } = composeMail('deletion_requested', 'pt-BR', samples('Ana').deletion_requested)
    assert.match(leaving, /apagados em 20 de novembro de 2026 às 23:40 \(horário de Brasília, GMT-3\)/)
    assert.match(text('es'), /Cuándo: 20 de noviembre de 2026 a las 23:40 \(hora de Brasilia, GMT-3\)/)
  })

  test('a length of time is given in words, in the singular where it is one', () => {
    assert.match(composeMail('invitation', 'pt-BR', { name: '', url, days: 1 }).text, /vale por 1 dia\./)
    assert.match(composeMail('reset_password', 'es', { name: '', url, minutes: 30 }).text, /es válido por 30 minutos\./)
  })
})

describe('what a mail shows of others', () => {
  const attacks = [
    '"><svg onload=alert(1)>',
    `'><script>alert(1)</script>`,
    '</title></style></td><img src=x onerror=alert(1)>',
    '!{x} & <b>',
    '<a href=x>',
  ]
  for (const attack of attacks) {
    test(`${attack} is shown as text, wherever it is put`, () => {
      const harmless = everyMail('Ana')
      for (const [index, { what, mail }] of everyMail(attack).entries()) {
        assert.deepEqual(tagsOf(mail.html), tagsOf(harmless[index]?.mail.html ?? ''), what)
        assert.ok(!mail.html.includes(attack), what)
      }
    })
  }

  test('no value, whatever it is, adds a tag, a link or a line to any mail, or a thing to its subject', () => {
    const harmless = everyMail('Ana')
    const text = fc.string({ unit: 'binary', maxLength: 80 })
    const nasty = fc.constantFrom('\r\n', '\n\n', '\u2028', 'https://evil.example', '<b>', '\u202e', ':\u200b//', ': //', 'http:\t//')
    fc.assert(
      fc.property(fc.array(fc.oneof(text, nasty), { maxLength: 6 }), (parts) => {
        for (const [index, { what, mail }] of everyMail(parts.join('')).entries()) {
          const { html, text, subject } = harmless[index]?.mail ?? { html: '', text: '', subject: '' }
          assert.equal(mail.subject, subject)
          assert.deepEqual(tagsOf(mail.html), tagsOf(html), what)
          assert.equal(mail.text.split(/[\r\n\u0085\u2028\u2029]/).length, text.split('\n').length, what)
          assert.deepEqual(mail.text.match(/https?:\/\/\S+/g), text.match(/https?:\/\/\S+/g), what)
        }
      }),
      { numRuns: 60 },
    )
  })

  const names = [
    'Zoë Müller',
    'José da Silva-Peña',
    "O'Brien",
    'J. R. R. Tolkien',
    '李小龍',
    'Ana 🌻',
    'محمد علي',
    'Martin Luther King Jr.',
  ]
  for (const name of names) {
    test(`${name} is greeted by name`, () => {
      assert.ok(composeMail('invitation', 'pt-BR', { name, url, days: 7 }).text.includes(`Olá, ${name}.`))
    })
  }

  const advertisements = [
    'Ganhe já em evil.com',
    'https://evil.com',
    'www evil com',
    'evil。com',
    'eve@evil.com',
    'Ligue 0800 123 4567',
    'Sua conta foi bloqueada e será apagada hoje mesmo se você não responder já',
    'a/b',
    ' \u202e\n',
    '',
  ]
  for (const name of advertisements) {
    test(`${JSON.stringify(name)} is no name: strangers can't be sent it through a sign-up`, () => {
      const mail = composeMail('confirm_address', 'pt-BR', { name, code: '048151', url, minutes: 30 })
      assert.match(mail.text, /^Olá\.$/m)
      if (name.trim() !== '') assert.ok(!mail.text.includes(name) && !readable(mail.html).includes(name))
    })
  }

  for (const bad of ['javascript:alert(1)', '/auth/confirm', '//evil.com', 'data:text/html,x', '']) {
    test(`a mail can't be written with the link "${bad}"`, () => {
      assert.throws(() => composeMail('reset_password', 'en', { name: '', url: bad, minutes: 30 }), TypeError)
    })
  }

  for (const bad of ['x', 'a@b', 'a@example.com\nhttps://evil.com', '<b>@example.com']) {
    test(`a mail can't be written with the new address ${JSON.stringify(bad)}`, () => {
      assert.throws(() => composeMail('address_changed', 'en', { name: '', newAddress: bad, reportUrl: url }), TypeError)
    })
  }
})

function tagsOf(html: string): string[] {
  return [...html.matchAll(/<\/?([a-z][a-z0-9]*)((?:\s+[a-z-]+(?=[=\s>]))*)/gi)].map(([tag]) => tag)
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => unescaped(link))
}

/** The readable text of the body, without the style sheet. */
function readable(html: string): string {
  const body = html.replace(/^.*<body/s, '<body').replace(/<[^>]*>/g, '\n')
  return unescaped(body)
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
