import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { noteGivenAccess } from '../../server/src/openid/client-documents/described-client-store.ts'
import { lookAt } from '../harness/axe.ts'
import { heading } from '../harness/steps.ts'
import { agreeTo, assertFits, type ConsoleHarness, showPage, startConsoleHarness } from './console-harness.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const CLIENT = 'https://editor.exemplo.com.br/oauth/uma-descricao-com-nome-comprido/client.json'

describe('Apps that describe themselves', () => {
  let harness: ConsoleHarness
  before(async () => {
    harness = await startConsoleHarness()
  })
  after(() => harness.close())
  afterEach(() => assert.deepEqual(harness.complaints, []))

  it('are listed by their host, refused and taken again by an owner, and only looked at by a viewer; on a phone it fits', async () => {
    const { service } = harness
    const page = await harness.administrator('owner', { email: 'dona-descritos@example.com', context: PHONE })
    await showPage(page, `${service.url}/admin/described-clients`)
    await heading(page, 'Apps que se descrevem')
    await page.getByText('Nenhum app que se descreve recebeu acesso até agora.').waitFor()
    assert.deepEqual((await lookAt(page)).faults, [])

    await service.context.storage.transaction((tx) => noteGivenAccess(tx, CLIENT, service.context.now()))
    await page.reload()
    await page.getByText(CLIENT).waitFor()
    await page.getByText('Aceito', { exact: true }).waitFor()
    await assertFits(page)
    assert.deepEqual((await lookAt(page)).faults, [])
    await page.getByRole('button', { name: 'Recusar' }).click()
    await agreeTo(page, 'Recusar')
    await page.getByText('Recusado', { exact: true }).waitFor()

    const viewer = await harness.administrator('viewer', { email: 'olha-descritos@example.com' })
    await showPage(viewer, `${service.url}/admin/described-clients`)
    await viewer.getByText('Recusado', { exact: true }).waitFor()
    assert.equal(await viewer.getByRole('button', { name: 'Aceitar de novo' }).count(), 0)

    await page.getByRole('button', { name: 'Aceitar de novo' }).click()
    await agreeTo(page, 'Aceitar de novo')
    await page.getByText('Aceito', { exact: true }).waitFor()
  })
})
