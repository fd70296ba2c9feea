// Part of `npm run screenshots`: the pages of the examples, and those of the client, as users see them, into .shots/.
import { languages } from '../../server/src/pages/index.ts'
import { joinClub, joinRadio, notifyPurchase, refund } from '../client/client-steps.ts'
import { listNotices, openNotice } from '../client/notices.ts'
import { startApps } from '../harness/apps.ts'
import { shootForms } from './shoot.ts'

const email = 'ana@exemplo.com.br'
const apps = await startApps('next', 'express', 'hono')
const { urls } = apps
try {
  await apps.service.user(email)
  const stranger = await apps.visitor()
  const tab = await apps.visitor()
  const shoot = async (name: string, address: string, who = tab) => {
    await who.goto(address)
    await shootForms(who, name, 'en')
  }
  await shoot('example-next', urls.next, stranger)
  await shoot('example-express', urls.express, stranger)
  await joinClub(tab, apps, email)
  await joinRadio(tab, apps, email)
  await shoot('example-hono-known', urls.hono)
  await shoot('example-express-known', urls.express)
  await shoot('example-express-checkout', `${urls.express}/checkout`)
  await tab.getByRole('button', { name: 'Pay R$ 29' }).click()
  await shoot('example-express-wait', `${urls.express}/checkout`)
  await notifyPurchase(apps, email)
  await shoot('example-express-book', `${urls.express}/book`)
  await refund(apps, email)
  await shoot('example-next-known', urls.next)
  await shoot('example-next-notes', `${urls.next}/notes`)
  await shoot('example-express-refunded', `${urls.express}/checkout`)
  for (const language of languages) {
    const reader = await apps.visitor({ locale: language })
    for (const notice of listNotices()) {
      await openNotice(reader, notice, language)
      await shootForms(reader, `notice-${notice}`, language)
    }
  }
} finally {
  await apps.close()
}
