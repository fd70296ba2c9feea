import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  accountStylesheet,
  BUILT_IN_LOOK,
  errorPage,
  type Href,
  languages,
  layout,
  ownHref,
  type PageContext,
  passkeyScript,
  passwordMeter,
  pictureScript,
  revealScript,
  shapesScript,
  stylesheet,
} from '../pages/index.ts'
import { inMinutes, texts } from '../pages/texts.ts'
import { welcomePage } from '../sign-in/continue/welcome-page.ts'
import { badFlowPage, otherUserPage } from '../sign-in/flow/flow-pages.ts'
import { ticketExpiredPage } from '../sign-in/flow/ticket-expired-page.ts'
import { impersonationRefusedPage } from '../sign-in/impersonation/impersonation-refused-page.ts'
import { loginPage } from '../sign-in/login/login-page.ts'
import { refusedStartPage } from '../sign-in/login/refused-start-page.ts'
import { ndaPage } from '../sign-in/profile/nda-page.ts'
import { profilePage } from '../sign-in/profile/profile-page.ts'
import { callbackPage } from '../sign-in/providers/callback-page.ts'
import { newPasswordPage } from '../sign-in/recovery/new-password-page.ts'
import { recoverPage, recoverySentPage } from '../sign-in/recovery/recover-page.ts'
import { reportSignInPage, signInReportedPage } from '../sign-in/recovery/report-sign-in-page.ts'
import { signedOutPage } from '../sign-in/sign-out/signed-out-page.ts'
import { checkMailPage } from '../sign-in/sign-up/check-mail-page.ts'
import { signUpPage } from '../sign-in/sign-up/sign-up-page.ts'
import { verifyPage } from '../sign-in/sign-up/verify-page.ts'
import { changeEmailPage, confirmEmailPage, emailChangedPage, emailChangeSentPage } from './credentials/change-email-page.ts'
import { changePasswordPage } from './credentials/change-password-page.ts'
import { deletionPage, deletionRequestedPage, deletionUndonePage, undoDeletionPage } from './deletion/deletion-page.ts'
import { accountPage } from './overview/account-page.ts'
import { passkeyPage, passkeysPage } from './passkeys/passkeys-page.ts'
import { ownProfilePage } from './profile/profile-page.ts'
import { ownTaxIdPage } from './profile/tax-id-page.ts'
import { consentsPage } from './records/consents-page.ts'
import { purchasesPage } from './records/purchases-page.ts'
import { sessionsPage } from './sessions/sessions-page.ts'
import { dataPage, languagePage, providersPage } from './settings/settings-page.ts'

test('a notice, a state and a strong password have colours of their own: with a red brand, nothing looks wrong that is not', () => {
  const rules = `${stylesheet.body}${accountStylesheet.body}`.split('}')
  const states = rules.filter((rule) => /\.alert-info|\.tag\{|\.meter\[/.test(rule))
  assert.ok(states.length >= 5)
  for (const rule of states) assert.doesNotMatch(rule, /--accent/)
})

const flow = 'v1.'.padEnd(700, 'Zm9v')
const continueUrl = ownHref('/auth/continue', { flow })
const terms = Array.from({ length: 40 }, (_, index) => `${index + 1}. ${'Tudo o que você vir aqui é confidencial. '.repeat(4)}`).join(
  '\n\n',
)
const fields = ['full_name', 'tax_id', 'phone', 'company_name'] as const
const profileErrors = ['required', 'invalid', 'too_long', 'unusable', 'too_many_tries'] as const
const passwordErrors = ['required', 'invalid', 'too_long', 'too_short', 'common', 'personal'] as const
const notices = [
  'provider_denied',
  'provider_unreachable',
  'provider_failed',
  'provider_not_recent',
  'provider_gave_no_address',
  'link_with_password',
  'confirm_email',
] as const
const MARKED = (['google', 'microsoft', 'apple', 'facebook', 'github'] as const).map((mark) => ({
  name: mark,
  mark,
  href: ownHref('/login'),
}))
const ways = { providers: [], signUpUrl: ownHref('/sign-up', { flow }), recoverUrl: ownHref('/recover', { flow }) }
const passkeyProblems = ['not_accepted', 'too_many', 'known', 'last_sign_in_method', 'gone', 'too_many_attempts'] as const
const loginProblems = ['wrong_credentials', 'wrong_passkey', 'too_many_attempts', 'busy', 'missing_fields'] as const

/** The most that an account may have. */
function passkeysNamed(name: string) {
  const common = { userId: '', name, publicKey: '', counter: 0, transports: [], isBackedUp: true, createdAt: 1 }
  return Array.from({ length: 20 }, (_, at) => ({ ...common, id: `id-${at}`, lastUsedAt: at % 2 ? 2 : undefined }))
}

/** Every page in every state, with `said` as every value from outside. */
const asksAll = { asked: { taxId: true, phone: true, company: 'with_cnpj' }, foreigners: 'refused', canSkip: true } as const

function everyPage(context: PageContext, said: string): [string, string][] {
  const values = { fullName: said, taxId: said, phone: said, companyName: said }
  const sharing = { scopes: ['read:email', 'read:profile', said], host: said, cancelUrl: ownHref('/account') }
  const common = { name: said, productName: said, continueUrl, refreshes: true }
  return [
    ['login', loginPage(context, { ...ways, flow: said })],
    ['login to a product', loginPage(context, { ...ways, flow, productName: said, email: said })],
    ...loginProblems.map((problem): [string, string] => [
      `login, ${problem}`,
      loginPage(context, { ...ways, flow, email: said, productName: said, problem, retryAfterSeconds: 61 }),
    ]),
    ['passkeys, none', passkeysPage(context, { passkeys: [], suggestion: said })],
    ...passkeysNamed(said)
      .slice(0, 1)
      .map((passkey): [string, string] => ['one passkey', passkeyPage(context, passkey)]),
    ['passkeys, added', passkeysPage(context, { passkeys: passkeysNamed(said), suggestion: said, done: 'added' })],
    ...passkeyProblems.map((problem): [string, string] => [
      `passkeys, ${problem}`,
      passkeysPage(context, { passkeys: passkeysNamed(said), suggestion: said, problem }),
    ]),
    ['other user', otherUserPage(context, { signedInAs: { name: said, email: said }, continueUrl, signInAgainUrl: continueUrl })],
    [
      'other user, expected one known',
      otherUserPage(context, {
        signedInAs: { name: said, email: said },
        expected: { name: said, email: said },
        continueUrl,
        signInAgainUrl: continueUrl,
      }),
    ],
    ['welcome', welcomePage(context, common)],
    ['welcome, sharing', welcomePage(context, { ...common, sharing })],
    ['profile', profilePage(context, { ...asksAll, flow: said, values, errors: {}, steps: 2 })],
    ...profileErrors.map((error): [string, string] => [
      `profile, ${error}`,
      profilePage(context, {
        ...asksAll,
        foreigners: 'document',
        flow,
        values,
        errors: Object.fromEntries(fields.map((name) => [name, error])),
        steps: 1,
      }),
    ]),
    ['nda', ndaPage(context, { flow: said, version: said, text: `${terms}\n\n${said}`, steps: 2 })],
    ['nda, no choice', ndaPage(context, { flow, version: said, text: said, textLanguage: 'pt-BR', problem: 'must_choose', steps: 1 })],
    ['signed out', signedOutPage(context, {})],
    ...overviewPages(context, said),
    ['bad flow', badFlowPage(context)],
    ['provider answered by a form', callbackPage(context, { continueUrl })],
    ['login with every mark', loginPage(context, { ...ways, flow: said, providers: MARKED })],
    ['refused start', refusedStartPage(context, { code: said })],
    ...accountPages(context, said),
    ...myAccountPages(context, said),
    ['error', errorPage(context, { status: 500, title: said, message: said, requestId: said })],
  ]
}

/** The first page of an account that has everything and of one that has nothing, and the user's own data. */
function overviewPages(context: PageContext, said: string): [string, string][] {
  const picture = `/assets/pictures/${'a'.repeat(32)}.png`
  const overview = { hasPassword: true, passwordChangedAt: 1, secondFactorSince: 1, passkeys: 20, providers: 3, sessions: 9, sharings: 40 }
  const nothing = { hasPassword: false, passwordChangedAt: undefined, secondFactorSince: undefined }
  const account = { name: said, email: said, hasRole: true, now: 1e12, signOutUrl: ownHref('/auth/signout') }
  const logo = { light: { path: `/assets/brand/${'a'.repeat(32)}.png`, type: 'image/png', width: 1, height: 1 } } as const
  const both = { ...logo, dark: logo.light }
  // As long as an address of an app; that one would be somebody else's.
  const home = `/${'escola.exemplo-de-um-nome-comprido.com.br'.padEnd(48, '-')}/`
  const apps = (length: number) => Array.from({ length }, (_, at) => ({ name: said, home, logo: at % 5 === 4 ? undefined : both }))
  const own = { values: { name: said, phone: said, companyName: said }, version: said, errors: {} }
  return [
    ...[20, 40].map((length): [string, string] => [
      `account of ${length} apps`,
      accountPage(context, {
        ...account,
        ...{
          isVerified: true,
          picture,
          taxId: said,
          mayCorrectTaxId: true,
          phone: said,
          companyName: said,
          planSlug: said,
          overview,
          apps: apps(length),
        },
      }),
    ]),
    [
      'account with nothing',
      accountPage(context, {
        ...account,
        ...{ isVerified: false, picture: undefined, taxId: undefined, mayCorrectTaxId: false, phone: undefined, companyName: undefined },
        ...{ planSlug: undefined, overview: { ...overview, ...nothing, passkeys: 0, providers: 0, sharings: 0 }, apps: [] },
      }),
    ],
    ['own data', ownProfilePage(context, { ...own, picture })],
    ...(['profile', 'picture', 'no_picture'] as const).map((saved): [string, string] => [
      'own data saved',
      ownProfilePage(context, { ...own, picture: undefined, saved }),
    ]),
    ...(['required', 'invalid', 'too_long'] as const).map((error): [string, string] => [
      `profile of one's own, ${error}`,
      ownProfilePage(context, { ...own, picture, errors: { full_name: error, phone: error, company_name: error } }),
    ]),
    ...(['none', 'too_large', 'not_png', 'damaged', 'size'] as const).map((pictureError): [string, string] => [
      `profile of one's own, ${pictureError}`,
      ownProfilePage(context, { ...own, picture, pictureError }),
    ]),
    ["profile of one's own, two tabs", ownProfilePage(context, { ...own, picture, storedNow: own.values })],
    ...(['enter', 'correct'] as const).map((may): [string, string] => [
      'own tax id',
      ownTaxIdPage(context, { state: { may }, current: said }),
    ]),
    ['own tax id saved', ownTaxIdPage(context, { state: { may: 'support', correctedAt: 1 }, current: said, saved: 'corrected' })],
    ...(['required', 'invalid', 'same', 'unusable', 'too_many_tries', 'corrected_already'] as const).map((error): [string, string] => [
      `profile: tax id of one's own, ${error}`,
      ownTaxIdPage(context, { state: { may: 'correct' }, current: said, typed: said, error }),
    ]),
  ]
}

/** The pages of the account, with full and with empty lists. */
function myAccountPages(context: PageContext, said: string): [string, string][] {
  const at = Date.UTC(2026, 10, 21)
  const session = {
    id: said,
    ip: said,
    userAgent: said,
    createdAt: at,
    lastSeenAt: at,
    isSupports: false,
    products: [said],
    device: said,
    isThisOne: false,
  }
  const plan = { name: said, slug: said, price: 4_900 }
  const bought = {
    id: said,
    streamId: said,
    plan,
    product: said,
    productUser: said,
    email: said,
    createdAt: at,
    changedAt: at,
    wasGuest: true,
  }
  const purchase = { ...bought, state: 'active', method: 'pix', periodEnd: at, graceFrom: at, accessUntil: at, reason: 'in_grace' } as const
  const sharing = { productId: said, product: said, scopes: [said], grantedAt: at, ip: said, userAgent: said }
  const nda = { at, ip: said, userAgent: said, version: said, textHash: said }
  const current = { version: said, text: said, textHash: 'other' }
  const provider = { issuer: said, subject: said, email: said, createdAt: at, name: said }
  const first = { cursor: undefined, isFirst: true }
  const later = { cursor: said, isFirst: false }
  return [
    ['own sessions', sessionsPage(context, { sessions: [session, { ...session, device: '', isThisOne: true }], ...later })],
    ['own purchases', purchasesPage(context, { purchases: [purchase], address: 'verified', ...later })],
    ['own purchases, none', purchasesPage(context, { purchases: [], address: 'unverified', ...first })],
    ['own consents', consentsPage(context, { nda, current, sharings: [sharing], ...later })],
    ['own consents, text', consentsPage(context, { nda, current: { ...current, textHash: said }, sharings: [], ...first })],
    ['acting, refused', impersonationRefusedPage({ ...context, impersonation: { by: said, for: { name: said, email: said }, until: at } })],
    ['own language', languagePage(context, { said: 'saved' })],
    ['own language, none of ours', languagePage(context, { said: 'invalid' })],
    ['own providers', providersPage(context, { providers: [provider] })],
    ['own providers, last way', providersPage(context, { providers: [provider], problem: 'last_sign_in_method' })],
    ['own data', dataPage(context)],
    ['deletion', deletionPage(context, { email: said, goingOn: [said] })],
    ['deletion, other address', deletionPage(context, { email: said, goingOn: [], typed: said, problem: 'mismatch' })],
    ['deletion, last owner', deletionPage(context, { email: said, goingOn: [], typed: said, problem: 'last_owner' })],
    ['deletion requested', deletionRequestedPage(context, { email: said, dueAt: at })],
    ['undo deletion', undoDeletionPage(context, { ticket: said, email: said })],
    ['deletion undone', deletionUndonePage(context, { email: said })],
  ]
}

/** The pages of sign-up, recovery, providers and credentials. The part of a name after its comma is the error. */
function accountPages(context: PageContext, said: string): [string, string][] {
  const providers = [{ name: said, href: ownHref('/auth/provider/p', { flow }) }]
  const beginUrl = ownHref('/sign-up')
  const address = { current: said, isVerified: true }
  const signUp = { flow: said, values: { name: said, email: said }, errors: {} }
  const pending = { flow: said, email: said, signUpUrl: beginUrl }
  const verify = { ticket: said, email: said, asksPassword: true, canPassword: true }
  const reset = { action: '/reset-password', ticket: said, email: said, purpose: 'reset_password' } as const
  return [
    ...notices.map((kind): [string, string] => [
      `login${kind === 'provider_denied' || kind === 'link_with_password' || kind === 'confirm_email' ? ' ' : ', '}${kind}`,
      loginPage(context, { ...ways, flow, providers, notice: { kind, provider: said } }),
    ]),
    ['sign-up', signUpPage(context, signUp)],
    ['sign-up, busy', signUpPage(context, { ...signUp, problem: 'busy' })],
    ['sign-up, too many', signUpPage(context, { ...signUp, problem: 'too_many_attempts', retryAfterSeconds: 61 })],
    ...passwordErrors.map((error): [string, string] => [
      `sign-up, ${error}`,
      signUpPage(context, { ...signUp, errors: { name: error, email: error, password: error } }),
    ]),
    ['check mail', checkMailPage(context, pending)],
    ['check mail, wrong', checkMailPage(context, { ...pending, problem: 'wrong_code' })],
    ['gone: code', checkMailPage(context, { ...pending, problem: 'code_expired' })],
    ['verify', verifyPage(context, { ...verify, asksPassword: false })],
    ['verify with the password', verifyPage(context, verify)],
    ['verify elsewhere', verifyPage(context, { ...verify, canPassword: false })],
    ['verify, wrong password', verifyPage(context, { ...verify, problem: 'wrong_password' })],
    ['verify, too many', verifyPage(context, { ...verify, problem: 'too_many_attempts' })],
    ['recover', recoverPage(context, { flow: said })],
    ...(['email_missing', 'email_invalid', 'too_many_attempts'] as const).map((problem): [string, string] => [
      `recover, ${problem}`,
      recoverPage(context, { flow, email: said, problem }),
    ]),
    ['recovery sent', recoverySentPage(context, { email: said, signInUrl: beginUrl })],
    ['new password', newPasswordPage(context, reset)],
    ['new password at an invitation', newPasswordPage(context, { ...reset, purpose: 'invitation' })],
    ['new password, busy', newPasswordPage(context, { ...reset, problem: 'busy' })],
    ...passwordErrors.map((problem): [string, string] => [`new password, ${problem}`, newPasswordPage(context, { ...reset, problem })]),
    ['not me', reportSignInPage(context, { ticket: said, email: said })],
    ['not me done', signInReportedPage(context, { email: said })],
    ...(['sign_up', 'reset_password', 'invitation', 'report_sign_in', 'change_email'] as const).map((what): [string, string] => [
      `gone: ${what}`,
      ticketExpiredPage(context, { beginUrl, what }),
    ]),
    ...[true, false].flatMap((hasPassword): [string, string][] => [
      ['change password', changePasswordPage(context, { email: said, hasPassword })],
      ['change password, weak', changePasswordPage(context, { email: said, hasPassword, passwordError: 'common' })],
      ['change password, busy', changePasswordPage(context, { email: said, hasPassword, problem: 'busy' })],
      ['change password done', changePasswordPage(context, { email: said, hasPassword, done: true })],
    ]),
    ['change email', changeEmailPage(context, { ...address, email: said })],
    ['change email unverified', changeEmailPage(context, { ...address, isVerified: false })],
    ['change email, too many', changeEmailPage(context, { ...address, email: said, problem: 'too_many_attempts' })],
    ['change email, invalid', changeEmailPage(context, { ...address, email: said, emailError: 'invalid' })],
    ['change email, same', changeEmailPage(context, { ...address, email: said, emailError: 'same' })],
    ...[false, true].flatMap((isOwn): [string, string][] => [
      [`change email sent${isOwn ? ' to it' : ''}`, emailChangeSentPage(context, { email: said, isOwn })],
      [`change email confirm${isOwn ? ' it' : ''}`, confirmEmailPage(context, { ticket: said, email: said, isOwn })],
      [`change email done${isOwn ? ' own' : ''}`, emailChangedPage(context, { email: said, isOwn })],
    ]),
  ]
}

const attacks = [`"><svg onload=alert(1)>`, `'><script>alert(1)</script>`, `</title></textarea><img src=x onerror=alert(1)>`, '!{x} & <b>']

describe('what a page shows of others', () => {
  for (const attack of attacks) {
    test(`${attack} is shown as text, wherever it is put`, () => {
      const harmless = everyPage({ language: 'pt-BR', here: '/' }, 'Ana')
      const attacked = everyPage({ language: 'pt-BR', here: '/' }, attack)
      for (const [index, [name, page]] of attacked.entries()) {
        assert.deepEqual(tagsOf(page), tagsOf(harmless[index]?.[1] ?? ''), name)
        assert.ok(!page.includes(attack), name)
      }
    })
  }

  test('the address of the page is shown as text and never leads to another host', () => {
    for (const here of [
      '/login?flow="><svg onload=alert(1)>',
      '//evil.example/?a=1',
      '/\\evil.example',
      '\t//evil.example',
      'https://evil.example',
      '',
    ]) {
      const page = layout({ language: 'en', here }, { title: 'x', body: '' })
      const links = [...page.matchAll(/<a href="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&#38;', '&').replaceAll('&#61;', '='))
      assert.equal(links.length, 3)
      for (const link of links) assert.equal(new URL(link, 'https://portaria.example').host, 'portaria.example', here)
      assert.ok(!page.includes('<svg onload'))
    }
  })

  test('the language switch keeps the flow and replaces an older choice', () => {
    const page = layout({ language: 'es', here: '/login?flow=a%2Bb&lang=es' }, { title: 'x', body: '' })
    assert.match(page, /href="\/login\?flow&#61;a%2Bb&#38;lang&#61;en"/)
    assert.equal(page.split('aria-current="true"').length, 2)
  })

  test('what was typed comes back, except the password', () => {
    for (const [name, page] of everyPage({ language: 'en', here: '/' }, 'ana@example.com')) {
      for (const [input] of page.matchAll(/<input[^>]*type="password"[^>]*>/g)) assert.match(input, / value=""/, name)
    }
    const page = loginPage({ language: 'en', here: '/login' }, { ...ways, flow, email: 'ana@example.com', problem: 'wrong_credentials' })
    assert.match(page, /name="email"[^>]*value="ana@example.com"/)
    assert.match(page, /name="password"[^>]*value=""/)
  })
})

for (const language of languages) {
  test(`no page in ${language} has our own name where the operator has one`, () => {
    const look = { ...BUILT_IN_LOOK, name: 'Maré', mark: 'letter' } as const
    for (const [name, page] of everyPage({ language, here: '/', look }, 'Ana')) {
      assert.match(page, /<title>[^<]+ · Maré<\/title>/, name)
      // An administrator's own account leads to the console, which keeps its name.
      assert.doesNotMatch(page.replace(texts[language].own.console, ''), /portaria/i, name)
    }
  })

  describe(`every page in ${language}`, () => {
    const all = everyPage({ language, here: `/login?flow=${flow}` }, 'Ana Flávia Conceição')

    test('weighs 30 KB at most, styles and script included', () => {
      for (const [name, page] of all) {
        const files = [stylesheet, accountStylesheet, revealScript, shapesScript, passwordMeter, pictureScript, passkeyScript].filter(
          ({ path }) => page.includes(path),
        )
        const bytes = [page, ...files.map(({ body }) => body)].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
        assert.ok(bytes <= 30 * 1024, `${name}: ${bytes}`)
      }
    })

    test('has nothing but elements in its head: a word there would end it, and stand above the page', () => {
      for (const [name, page] of all) {
        const head = page
          .slice(page.indexOf('<head>') + 6, page.indexOf('</head>'))
          .replace(/<title>[^<]*<\/title>|<script[^>]*><\/script>/g, '')
        assert.equal(head.replace(/<(?:meta|link)\b[^>]*>/g, '').trim(), '', name)
      }
    })

    test('holds no inline script or style and nothing from elsewhere, as its content security policy demands', () => {
      for (const [name, page] of all) {
        const own = `<script src="${passwordMeter.path}" defer></script>`
        assert.equal(page.includes(own), page.includes('autocomplete="new-password"'), name)
        const passkeys = `<script src="${passkeyScript.path}" defer></script>`
        assert.equal(page.includes(passkeys), page.includes('data-passkey='), name)
        const reveal = new RegExp(`<script src="${revealScript.path}"( data-(show|hide|what)="[^"<>]+"){3} defer></script>`)
        assert.equal(reveal.test(page), page.includes(' type="password"'), name)
        const shapes = `<script src="${shapesScript.path}" defer></script>`
        assert.equal(page.includes(shapes), page.includes(' data-shape='), name)
        assert.doesNotMatch(
          page
            .replace(own, '')
            .replace(passkeys, '')
            .replace(shapes, '')
            .replace(reveal, '')
            .replace(`<script src="${pictureScript.path}" defer></script>`, '')
            .replace(/<img (class="avatar" )?src="\/assets\/[\w/.-]+" alt="" width="\d+" height="\d+">/g, ''),
          /<(script|style|iframe|object|embed|base|img)\b|<[^>]*\s(style|on\w+)=|http-equiv|javascript:/i,
          name,
        )
        assert.doesNotMatch(page, /(src|href|action)="(?!\/(?!\/)|#)/, name)
      }
    })

    test('names its language, has one main heading, and one title that names the product', () => {
      for (const [name, page] of all) {
        assert.match(page, new RegExp(`^<!doctype html>\n<html lang="${language}">`), name)
        assert.equal(page.match(/<h1>/g)?.length, 1, name)
        assert.match(page, /<title>[^<]+ · Portaria<\/title>/, name)
        assert.doesNotMatch(page, /undefined|\[object|NaN/, name)
      }
    })

    test('ties each label, hint and error to a field that exists', () => {
      for (const [name, page] of all) {
        const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
        assert.equal(new Set(ids).size, ids.length, name)
        const named = [...page.matchAll(/(?:for|aria-describedby|aria-labelledby|href)="#?([a-z_ -]+)"/g)].flatMap(([, list = '']) =>
          list.split(' '),
        )
        for (const id of named) assert.ok(ids.includes(id), `${name}: ${id}`)
      }
    })

    test('says in title, alert and field that something is wrong, and only then', () => {
      for (const [name, page] of all.filter(([title]) =>
        /^(login|profile|nda|sign-up|check mail|verify|recover|new password|not me|change)/.test(title),
      )) {
        const wrong = name.includes(', ')
        assert.equal(page.includes('role="alert"'), wrong, name)
        assert.equal(/<title>(Erro|Error): /.test(page), wrong, name)
      }
    })
  })
}

test('a field with an error is marked, and its message stands beside it', () => {
  const errors = { tax_id: 'unusable' } as const
  const page = profilePage(
    { language: 'pt-BR', here: '/' },
    {
      ...asksAll,
      asked: { taxId: true, phone: false, company: 'with_cnpj' },
      flow,
      values: { taxId: '123' },
      errors,
      steps: 1,
    },
  )
  assert.match(page, /name="tax_id"[^>]*value="123"[^>]*aria-invalid="true" aria-describedby="tax_id-hint tax_id-error" autofocus/)
  assert.match(page, /id="tax_id-error">.*Não foi possível usar este número/)
  assert.equal(page.split('aria-invalid').length, 2)
  assert.doesNotMatch(page, /name="phone"/)
})

test('password managers can fill the form', () => {
  const page = loginPage({ language: 'pt-BR', here: '/login' }, { ...ways, flow })
  assert.match(page, /<form method="post" action="\/login">/)
  assert.match(page, /name="email" type="email" value="" autocomplete="username webauthn"/)
  assert.match(page, /name="password" type="password" value="" autocomplete="current-password"/)
})

test('each form where a password is chosen or shown names its user to password managers', () => {
  for (const [name, page] of everyPage({ language: 'en', here: '/' }, 'ana@example.com')) {
    if (!page.includes('type="password"')) continue
    assert.equal(page.split(/autocomplete="username(?: webauthn)?"/).length, 2, name)
  }
})

test('the sign-up says the same, and asks the same, of an address that has an account', () => {
  const page = checkMailPage({ language: 'en', here: '/' }, { flow, email: 'ana@example.com', signUpUrl: ways.signUpUrl })
  assert.match(page, /If you already have an account, the message says how to sign in/)
  assert.match(page, /name="code"[^>]* autocomplete="one-time-code"[^>]* inputmode="numeric"/)
})

test('a link opened in another browser asks for the password, and for none where none was chosen', () => {
  const context = { language: 'en', here: '/' } as const
  const verify = (asks: { asksPassword: boolean; canPassword: boolean }) =>
    verifyPage(context, { ticket: 't', email: 'ana@example.com', ...asks })
  assert.doesNotMatch(verify({ asksPassword: false, canPassword: true }), /type="password"/)
  assert.match(verify({ asksPassword: true, canPassword: true }), /<form method="post" action="\/verify">.*name="password"/s)
  assert.doesNotMatch(verify({ asksPassword: true, canPassword: false }), /<form/)
})

test('the welcome page of a first visit says what the product receives, and the address only with its scope', () => {
  const welcome = { name: 'Ana', productName: 'Loja Exemplo', continueUrl, refreshes: true }
  const sharing = { host: 'loja.example', cancelUrl: ownHref('/account') }
  const context = { language: 'en', here: '/' } as const
  assert.match(welcomePage(context, { ...welcome, sharing: { ...sharing, scopes: ['read:email'] } }), /Your email/)
  assert.doesNotMatch(welcomePage(context, { ...welcome, sharing: { ...sharing, scopes: ['read:profile'] } }), /Your email/)
})

test('the signed-out page leads back to where its caller allows', () => {
  const page = signedOutPage({ language: 'en', here: '/' }, { returnUrl: 'https://painel.example/inicio' as Href })
  assert.match(page, /<a class="button" href="https:\/\/painel.example\/inicio">Back to painel.example<\/a>/)
})

test('a wait is given in whole minutes, never too short', () => {
  assert.equal(inMinutes(1, 'pt-BR'), '1 minuto')
  assert.equal(inMinutes(61, 'en'), '2 minutes')
  assert.equal(inMinutes(900, 'es'), '15 minutos')
})

test('every language has every text', () => {
  for (const language of languages) {
    const spoken = [...sentences(texts[language])]
    assert.equal(spoken.length, [...sentences(texts['pt-BR'])].length)
    for (const sentence of spoken) assert.ok(sentence.trim().length > 0)
  }
})

function* sentences(entry: unknown): Generator<string> {
  if (typeof entry === 'string') yield entry
  else if (typeof entry === 'function') yield String(entry('1', '2'))
  else if (typeof entry === 'object' && entry !== null) for (const inner of Object.values(entry)) yield* sentences(inner)
}

/** The names of all tags, in order, with the names of their attributes: escaped text can never change them. */
function tagsOf(page: string): string[] {
  return [...page.matchAll(/<([a-z0-9]+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
    ([, tag = '', attributes = '']) => `${tag} ${[...attributes.matchAll(/\s([\w-]+)(?==|\s|$)/g)].map(([, name]) => name)}`,
  )
}
