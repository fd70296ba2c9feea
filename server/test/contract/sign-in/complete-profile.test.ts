import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listAudit } from '../../../src/audit/index.ts'
import type { Answer } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import type { TestService } from '../../support/service.ts'
import { elsewhere, freshCpf, reachProfile, save, startWithApp, TARGET } from '../../support/users/newcomer.ts'
import { assertOwnRedirect, assertPage, assertRefused, decode, sessionOf, setCookies } from '../../support/users/sign-in-steps.ts'
import { invalidCnpjs, invalidCpfs, validCnpjs, validCpfs } from '../../vectors/tax-ids.ts'

const JSON_PLEASE = { accept: 'application/json' }

const fieldErrors = (answer: Answer) => answer.json<{ error: string; fields: Record<string, string> }>()

async function companyOf({ context }: TestService, userId: string) {
  return context.storage.db.selectFrom('users_company').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
}

eachDatabase('/complete-profile', (database) => {
  const started = startWithApp(database)

  it('asks a newcomer without CPF or CNPJ for name, tax id, phone and company before the splash', async () => {
    const { page } = await reachProfile(await started(), 'nova@exemplo.com.br')
    for (const name of ['full_name', 'tax_id', 'phone', 'company_name', 'flow']) assert.match(page.text, new RegExp(`name="${name}"`))
    assert.match(page.text, /name="full_name" type="text" value="Ana Flávia Conceição"/)
  })

  it('saves the profile, goes on to the splash and ends at the original target with its state', async () => {
    const service = await started()
    const { user, browser, flow } = await reachProfile(service, 'salva@exemplo.com.br')
    const taxId = freshCpf()
    const saved = await save(browser, flow, { tax_id: taxId }, elsewhere())
    assertOwnRedirect(saved, '/auth/welcome')
    assert.deepEqual(Object.keys(setCookies(saved)), ['eg_session'])
    assert.equal(decode(sessionOf(browser)).claims.name, 'Maria da Silva')
    const row = await companyOf(service, user.id)
    assert.deepEqual([row.name, row.phone, row.tax_id_kind, row.company_name], ['Maria da Silva', '+5511912345678', 'cpf', null])
    assert.ok(row.tax_id_sealed && row.tax_id_hash)
    assert.ok(!JSON.stringify(row).includes(taxId), 'the number is sealed')
    const end = await browser.follow(saved)
    assert.ok(end.headers.get('location')?.startsWith(`${TARGET}?eg_session=`))
    assert.equal(end.location?.searchParams.get('state'), 's')
  })

  it('comes back filled in with a message beside each wrong field and 400', async () => {
    const service = await started()
    const { user, browser, flow } = await reachProfile(service, 'invalida@exemplo.com.br')
    const page = await save(browser, flow, { full_name: ' ', tax_id: '529.982.247-26', phone: '12345' })
    assertPage(page, 400)
    for (const name of ['full_name', 'tax_id', 'phone']) assert.match(page.text, new RegExp(`id="${name}-error"`))
    assert.match(page.text, /value="529\.982\.247-26"/)
    assert.match(page.text, /value="12345"/)
    assert.equal((await companyOf(service, user.id)).tax_id_hash, null)
    const json = await save(browser, flow, { full_name: ' ', tax_id: '529.982.247-26', phone: '' }, JSON_PLEASE)
    assert.equal(json.status, 400)
    assert.deepEqual(fieldErrors(json), {
      error: 'campos invalidos',
      fields: { full_name: 'required', tax_id: 'invalid', phone: 'required' },
    })
  })

  it('checks CPF and CNPJ by their digits, the alphanumeric CNPJ included', async () => {
    const service = await started()
    const { browser, flow } = await reachProfile(service, 'digitos@exemplo.com.br')
    for (const taxId of [...invalidCnpjs, ...invalidCpfs]) {
      const { fields } = fieldErrors(await save(browser, flow, { tax_id: taxId, company_name: 'Acme' }, JSON_PLEASE))
      assert.deepEqual(fields, { tax_id: taxId === '' ? 'required' : 'invalid' }, taxId)
    }
    for (const [index, taxId] of [...validCnpjs, ...validCpfs].entries()) {
      const { user, browser: other, flow: its } = await reachProfile(service, `valida${index}@exemplo.com.br`)
      assertOwnRedirect(await save(other, its, { tax_id: taxId.toLowerCase(), company_name: 'Acme Ltda' }, elsewhere()), '/auth/welcome')
      const row = await companyOf(service, user.id)
      const isCnpj = taxId.length === 18
      assert.deepEqual([row.tax_id_kind, row.company_name], [isCnpj ? 'cnpj' : 'cpf', isCnpj ? 'Acme Ltda' : null])
    }
  })

  it('requires the company name with a CNPJ and only then', async () => {
    const service = await started()
    const { browser, flow } = await reachProfile(service, 'empresa@exemplo.com.br')
    const { fields } = fieldErrors(await save(browser, flow, { tax_id: '11.444.777/0001-61', company_name: ' ' }, JSON_PLEASE))
    assert.deepEqual(fields, { company_name: 'required' })
  })

  it('stores the phone as E.164, a national number as Brazilian', async () => {
    const service = await started()
    for (const [index, [typed, stored]] of (
      [
        ['11 91234-5678', '+5511912345678'],
        ['+351 912 345 678', '+351912345678'],
        ['+1 (212) 555-2368', '+12125552368'],
      ] as const
    ).entries()) {
      const { user, browser, flow } = await reachProfile(service, `fone${index}@exemplo.com.br`)
      assertOwnRedirect(await save(browser, flow, { tax_id: freshCpf(), phone: typed }, elsewhere()), '/auth/welcome')
      assert.equal((await companyOf(service, user.id)).phone, stored)
    }
  })

  it("refuses another account's number with 400, and leaves an item for support", async () => {
    const service = await started()
    const taxId = freshCpf()
    const first = await reachProfile(service, 'primeira@exemplo.com.br')
    assertOwnRedirect(await save(first.browser, first.flow, { tax_id: taxId }, elsewhere()), '/auth/welcome')
    const second = await reachProfile(service, 'segunda@exemplo.com.br')
    const from = elsewhere()
    const refused = await save(second.browser, second.flow, { tax_id: taxId }, { ...JSON_PLEASE, ...from })
    assert.equal(refused.status, 400)
    assert.equal(fieldErrors(refused).error, 'Nao foi possivel usar este numero')
    const page = await save(second.browser, second.flow, { tax_id: taxId }, from)
    assertPage(page, 400)
    assert.match(page.text, /Não foi possível usar este número/)
    assert.equal((await companyOf(service, second.user.id)).tax_id_hash, null)
    const entries = await listAudit(service.context.storage.db, { limit: 20 })
    assert.ok(entries.some(({ action, target }) => action === 'support.tax_id_in_use' && target === second.user.id))
  })

  it('lets an account try 3 valid numbers a day, even if the fourth is free', async () => {
    const service = await started()
    const taken = freshCpf()
    const owner = await reachProfile(service, 'tentada@exemplo.com.br')
    assertOwnRedirect(await save(owner.browser, owner.flow, { tax_id: taken }, elsewhere()), '/auth/welcome')
    const { user, browser, flow } = await reachProfile(service, 'tenta@exemplo.com.br')
    for (let tries = 0; tries < 3; tries++) {
      assert.equal(fieldErrors(await save(browser, flow, { tax_id: taken }, { ...JSON_PLEASE, ...elsewhere() })).fields.tax_id, 'unusable')
    }
    const refused = await save(browser, flow, { tax_id: freshCpf() }, { ...JSON_PLEASE, ...elsewhere() })
    assert.equal(refused.status, 400)
    assert.equal(fieldErrors(refused).fields.tax_id, 'too_many_tries')
    assert.equal((await companyOf(service, user.id)).tax_id_hash, null)
  })

  it('lets a network address try 10 valid numbers a day', async () => {
    const service = await started()
    const from = elsewhere()
    for (let index = 0; index < 10; index++) {
      const { browser, flow } = await reachProfile(service, `rede${index}@exemplo.com.br`)
      assertOwnRedirect(await save(browser, flow, { tax_id: freshCpf() }, from), '/auth/welcome')
    }
    const { browser, flow } = await reachProfile(service, 'rede10@exemplo.com.br')
    assert.equal(
      fieldErrors(await save(browser, flow, { tax_id: freshCpf() }, { ...JSON_PLEASE, ...from })).fields.tax_id,
      'too_many_tries',
    )
    assertOwnRedirect(await save(browser, flow, { tax_id: freshCpf() }, elsewhere()), '/auth/welcome')
  })

  it('refuses a form that another site sent', async () => {
    const service = await started()
    const { browser, flow } = await reachProfile(service, 'forjado@exemplo.com.br')
    assertRefused(await save(browser, flow, {}, { ...JSON_PLEASE, origin: 'https://evil.example' }), 403, 'origem nao permitida')
  })

  it('does not come back once the profile is complete', async () => {
    const service = await started()
    const { browser, flow, address } = await reachProfile(service, 'completa@exemplo.com.br')
    assertOwnRedirect(await save(browser, flow, { tax_id: freshCpf() }, elsewhere()), '/auth/welcome')
    assertOwnRedirect(await browser.get(address), '/auth/welcome')
    assertOwnRedirect(await save(browser, flow, { full_name: 'Someone Else' }), '/auth/welcome')
    assert.equal(decode(sessionOf(browser)).claims.name, 'Maria da Silva')
  })
})
