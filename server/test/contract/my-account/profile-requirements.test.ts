import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ProfileRequirements } from '../../../src/users/index.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, type TestService } from '../../support/service.ts'
import { elsewhere, freshCpf, save } from '../../support/users/newcomer.ts'
import { assertOwnRedirect, assertPage, loginAddress } from '../../support/users/sign-in-steps.ts'

const JSON_PLEASE = { accept: 'application/json' }
const PASSPORT = { tax_id: '', document_kind: 'passport', document_country: 'PT', document_number: 'CA 123.456' }

eachDatabase('What a product asks of whoever signs in to it', (database) => {
  const started = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let products = 0

  /** A product that asks for this, and a newcomer who signs in to it. */
  async function enter(requirements: Partial<ProfileRequirements>, options: { as?: string; beta?: boolean } = {}) {
    const service = started()
    const slug = `p${++products}`
    const target = `http://localhost:7001/${slug}`
    await service.product({ slug, uris: [target], requirements })
    const email = options.as ?? `${slug}@exemplo.com.br`
    const user = options.as ? undefined : await service.user(email, { profile: 'missing', beta: options.beta ?? false })
    const browser = service.browser()
    const answer = await browser.signIn(loginAddress({ redirect_to: target }), { email, password: PASSWORD })
    return { service, user, email, target, browser, answer }
  }

  async function formAt(browser: Browser, answer: Awaited<ReturnType<typeof enter>>['answer']) {
    const page = await browser.get(assertOwnRedirect(answer, '/complete-profile'))
    assertPage(page, 200)
    return { page, flow: hiddenFlow(page.text), names: [...page.text.matchAll(/ name="(\w+)"/g)].map(([, name]) => name) }
  }

  async function companyOf({ context }: TestService, email: string) {
    return context.storage.db
      .selectFrom('users_company')
      .innerJoin('users', 'users.id', 'users_company.user_id')
      .selectAll('users_company')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  }

  it('asks nothing of anyone where the product requires nothing', async () => {
    const { browser, answer, target } = await enter({ requires: [] })
    assertOwnRedirect(answer, '/auth/welcome')
    const end = await browser.follow(answer)
    assert.ok(end.headers.get('location')?.startsWith(`${target}?eg_session=`))
  })

  it('asks for the NDA alone where nothing else is required', async () => {
    const { browser, answer } = await enter({ requires: [] }, { beta: true })
    const { page } = await formAt(browser, answer)
    assert.match(page.text, /name="nda_accept"/)
  })

  it('asks for the phone alone, and keeps nothing that was posted beside it', async () => {
    const { browser, answer, service, email } = await enter({ requires: ['phone'] })
    const { flow, names } = await formAt(browser, answer)
    assert.deepEqual(
      names.filter((name) => !['robots', 'viewport'].includes(name ?? '')),
      ['flow', 'full_name', 'phone'],
    )
    assertOwnRedirect(await save(browser, flow, { tax_id: freshCpf(), company_name: 'Acme' }, elsewhere()), '/auth/welcome')
    const row = await companyOf(service, email)
    assert.deepEqual([row.phone, row.tax_id_hash, row.company_name], ['+5511912345678', null, null])
  })

  it('asks everyone for the company where no tax id is asked for, and without it nobody', async () => {
    const company = await enter({ requires: ['company'] })
    const form = await formAt(company.browser, company.answer)
    const refused = await save(company.browser, form.flow, { company_name: '' }, JSON_PLEASE)
    assert.deepEqual(refused.json<{ fields: unknown }>().fields, { company_name: 'required' })
    assertOwnRedirect(await save(company.browser, form.flow, { company_name: 'Acme' }, elsewhere()), '/auth/welcome')
    const taxId = await enter({ requires: ['tax_id'] })
    const { flow, names } = await formAt(taxId.browser, taxId.answer)
    assert.ok(!names.includes('company_name') && !names.includes('phone'))
    assertOwnRedirect(await save(taxId.browser, flow, { tax_id: '11.444.777/0001-61' }, elsewhere()), '/auth/welcome')
    assert.equal((await companyOf(taxId.service, taxId.email)).tax_id_kind, 'cnpj')
  })

  it('asks a later product’s newcomer for what is still missing and no more, on the silent way too', async () => {
    const first = await enter({ requires: ['tax_id'] })
    const { flow } = await formAt(first.browser, first.answer)
    await first.browser.follow(await save(first.browser, flow, { tax_id: freshCpf() }, elsewhere()))
    const { target } = await enter({ requires: ['tax_id', 'phone'] }, { as: first.email })
    const silent = await first.browser.get(loginAddress({ redirect_to: target }))
    const form = await formAt(first.browser, await first.browser.get(assertOwnRedirect(silent, '/auth/continue')))
    assert.ok(form.names.includes('phone') && !form.names.includes('tax_id'))
    const end = await first.browser.follow(await save(first.browser, form.flow, {}, elsewhere()))
    assert.ok(end.headers.get('location')?.startsWith(`${target}?eg_session=`))
  })

  it('takes a foreign document where the product takes one, and knows it again however it was typed', async () => {
    const { browser, answer, service, email } = await enter({ foreigners: 'document' })
    const { flow, names, page } = await formAt(browser, answer)
    for (const name of ['tax_id', 'document_kind', 'document_country', 'document_number']) assert.ok(names.includes(name), name)
    assert.match(page.text, /<option value="PT">Portugal</)
    assert.doesNotMatch(page.text, /<option value="BR"/)
    assertOwnRedirect(await save(browser, flow, PASSPORT, elsewhere()), '/auth/welcome')
    const row = await companyOf(service, email)
    assert.equal(row.tax_id_kind, 'passport')
    assert.ok(row.tax_id_sealed && !JSON.stringify(row).includes('CA123456'), 'the number is sealed')
    const other = await enter({ foreigners: 'document' })
    const its = await formAt(other.browser, other.answer)
    const from = { ...JSON_PLEASE, ...elsewhere() }
    const refused = await save(other.browser, its.flow, { ...PASSPORT, document_number: 'ca-123456' }, from)
    assert.deepEqual(refused.json(), { error: 'Nao foi possivel usar este numero', fields: { document_number: 'unusable' } })
    assertOwnRedirect(await save(other.browser, its.flow, { ...PASSPORT, document_country: 'AO' }, elsewhere()), '/auth/welcome')
  })

  for (const [fault, fields, expected] of [
    ['no number at all', { tax_id: '', document_country: '', document_number: '' }, { tax_id: 'required' }],
    ['a document without its country', { ...PASSPORT, document_country: '' }, { document_country: 'required' }],
    ['a country without its document', { ...PASSPORT, document_number: ' ' }, { document_number: 'required' }],
    ['a Brazilian passport', { ...PASSPORT, document_country: 'BR' }, { document_number: 'invalid' }],
    ['a country that there is not', { ...PASSPORT, document_country: 'XX' }, { document_number: 'invalid' }],
    ['another kind', { ...PASSPORT, document_kind: 'cpf' }, { document_number: 'invalid' }],
    ['a number of one digit throughout', { ...PASSPORT, document_number: '000000' }, { document_number: 'invalid' }],
    ['letters of another script', { ...PASSPORT, document_number: 'СА123456' }, { document_number: 'invalid' }],
    ['a number beyond any document', { ...PASSPORT, document_number: '1234567890'.repeat(3) }, { document_number: 'invalid' }],
    ['a wrong CPF beside a right passport', { ...PASSPORT, tax_id: '529.982.247-26' }, { tax_id: 'invalid' }],
    ['the word that there is none', { tax_id: '', no_tax_id: '1' }, { tax_id: 'required' }],
  ] as const) {
    it(`refuses ${fault} where a foreign document will do`, async () => {
      const { browser, answer, service, email } = await enter({ foreigners: 'document' })
      const { flow } = await formAt(browser, answer)
      const refused = await save(browser, flow, fields, JSON_PLEASE)
      assert.equal(refused.status, 400)
      assert.deepEqual(refused.json<{ fields: unknown }>().fields, expected)
      assert.equal((await companyOf(service, email)).tax_id_kind, null)
      const page = await save(browser, flow, fields)
      assertPage(page, 400)
      assert.match(page.text, new RegExp(`id="${Object.keys(expected)[0]}-error"`))
    })
  }

  it('takes no foreign document, nor the lack of one, where the product refuses them', async () => {
    const { browser, answer } = await enter({})
    const { flow, names } = await formAt(browser, answer)
    assert.ok(!names.includes('document_number') && !names.includes('no_tax_id'))
    for (const fields of [PASSPORT, { tax_id: '', no_tax_id: '1' }]) {
      const refused = await save(browser, flow, fields, JSON_PLEASE)
      assert.deepEqual(refused.json<{ fields: unknown }>().fields, { tax_id: 'required' })
    }
  })

  it('lets a foreigner go on without any number where the product says so, and asks again where it does not', async () => {
    const { browser, answer, service, email } = await enter({ foreigners: 'exempt' })
    const { flow } = await formAt(browser, answer)
    assertOwnRedirect(await save(browser, flow, { tax_id: '', no_tax_id: '1' }, elsewhere()), '/auth/welcome')
    assert.deepEqual([(await companyOf(service, email)).tax_id_kind, (await companyOf(service, email)).tax_id_hash], ['none', null])
    const again = await enter({ foreigners: 'exempt' }, { as: email })
    assertOwnRedirect(again.answer, '/auth/welcome')
    const strict = await enter({}, { as: email })
    const form = await formAt(strict.browser, strict.answer)
    assert.ok(form.names.includes('tax_id') && !form.names.includes('phone'))
    assertOwnRedirect(await save(strict.browser, form.flow, { tax_id: freshCpf() }, elsewhere()), '/auth/welcome')
    assert.equal((await companyOf(service, email)).tax_id_kind, 'cpf')
  })

  it('takes a CPF from someone known by a passport, and nothing in place of a CPF', async () => {
    const { browser, answer, service, email } = await enter({ foreigners: 'document' })
    const { flow } = await formAt(browser, answer)
    assertOwnRedirect(await save(browser, flow, { ...PASSPORT, document_country: 'US' }, elsewhere()), '/auth/welcome')
    const strict = await enter({}, { as: email })
    const form = await formAt(strict.browser, strict.answer)
    assertOwnRedirect(await save(strict.browser, form.flow, { tax_id: freshCpf() }, elsewhere()), '/auth/welcome')
    const row = await companyOf(service, email)
    assert.equal(row.tax_id_kind, 'cpf')
    assertOwnRedirect(await save(browser, flow, { ...PASSPORT, document_country: 'FR' }, elsewhere()), '/auth/welcome')
    assert.deepEqual(await companyOf(service, email), row)
  })

  it('lets whoever signs in to Portaria itself put the profile off, and an app ask for it all the same', async () => {
    const { service, target } = await enter({})
    await service.user('adia@exemplo.com.br', { profile: 'missing' })
    const browser = service.browser()
    const { flow } = await formAt(browser, await browser.signIn('/login', { email: 'adia@exemplo.com.br', password: PASSWORD }))
    const skipped = await browser.submit('/complete-profile', { flow, profile_skip: '1' })
    const end = await browser.follow(skipped)
    assertPage(end, 200)
    assert.match(end.text, /adia@exemplo\.com\.br/)
    const silent = await browser.get(loginAddress({ redirect_to: target }))
    const form = await formAt(browser, await browser.get(assertOwnRedirect(silent, '/auth/continue')))
    assert.doesNotMatch(form.page.text, /profile_skip/)
    assert.equal((await browser.submit('/complete-profile', { flow: form.flow, profile_skip: '1' }, JSON_PLEASE)).status, 400)
  })
})
