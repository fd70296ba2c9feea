import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { type Apps, startApps } from '../harness/apps.ts'
import { heading } from '../harness/steps.ts'
import { assertAccessible } from '../pages/every-page.ts'
import { joinClub, notifyPurchase, refund, untilConfirmed } from './client-steps.ts'

describe('An app with a checkout of its own', () => {
  let apps: Apps
  before(async () => {
    apps = await startApps('express')
  })
  after(() => apps.close())
  afterEach(() => assert.deepEqual(apps.complaints.splice(0), []))

  it('opens what is paid for when its own record and Portaria both say so, and neither alone', async () => {
    const email = 'ana@exemplo.com.br'
    await apps.service.user(email)
    const tab = await apps.visitor()
    await joinClub(tab, apps, email)
    const read = async () => {
      await openBook(tab, apps)
      return new URL(tab.url()).pathname
    }

    assert.equal(await read(), '/checkout')
    await tab.getByText('You are not a member yet').waitFor()
    await assertAccessible(tab)
    await tab.getByRole('button', { name: 'Pay R$ 29' }).click()
    await tab.getByText('The book opens as soon as your payment is confirmed').waitFor()
    assert.equal(new URL(tab.url()).pathname, '/checkout')
    assert.equal(await read(), '/checkout')
    await assertAccessible(tab)

    await notifyPurchase(apps, email)
    await tab.getByRole('link', { name: 'Look again' }).click()
    await heading(tab, 'Dom Casmurro')
    assert.equal(await read(), '/book')
    await assertAccessible(tab)

    await refund(apps, email)
    await untilConfirmed()
    // The app answers what it knew while Portaria takes long, and learns better meanwhile.
    await until(async () => (await read()) === '/checkout')
    await tab.getByText('Your payment was refunded').waitFor()
    await tab.getByRole('button', { name: 'Pay R$ 29' }).waitFor()
  })

  it('keeps its door shut to whom Portaria knows as a buyer, but its own record does not', async () => {
    const email = 'bia@exemplo.com.br'
    await apps.service.user(email)
    await notifyPurchase(apps, email)
    const tab = await apps.visitor()
    await joinClub(tab, apps, email)
    await openBook(tab, apps)
    await heading(tab, 'Join the club')
    await tab.getByRole('button', { name: 'Pay R$ 29' }).click()
    await heading(tab, 'Dom Casmurro')
  })

  it('works without JavaScript, from the sign-in to the book', async () => {
    const email = 'caio@exemplo.com.br'
    await apps.service.user(email)
    await notifyPurchase(apps, email)
    const tab = await apps.visitor({ javaScriptEnabled: false })
    await joinClub(tab, apps, email)
    await tab.getByRole('link', { name: 'Read this month’s book' }).click()
    await tab.getByRole('button', { name: 'Pay R$ 29' }).click()
    await heading(tab, 'Dom Casmurro')
    await tab.getByRole('link', { name: 'Clube do Livro' }).click()
    await tab.getByRole('button', { name: 'Sign out of the club' }).click()
    await tab.getByText('A book a month').waitFor()
  })

  it('sends whoever asks for a guarded page to sign in, and then to that page', async () => {
    const email = 'dora@exemplo.com.br'
    await apps.service.user(email)
    const tab = await apps.visitor()
    await joinClub(tab, apps, email)
    await tab.getByRole('button', { name: 'Sign out of the club' }).click()
    await tab.getByText('A book a month').waitFor()
    await tab.goto(`${apps.urls.express}/checkout?month=2`)
    await heading(tab, 'Join the club')
    assert.equal(tab.url(), `${apps.urls.express}/checkout?month=2`)
  })
})

async function openBook(tab: Page, { urls }: Apps): Promise<void> {
  await tab.goto(`${urls.express}/book`)
}
