import { html } from 'ghtml'
import { layout, type PageContext } from '../http/index.ts'
import type { OwnSession } from '../sessions/index.ts'
import { buttonForm, entries, foot, moment, momentWords, pager, plain } from './own-parts-of-page.ts'
import { texts } from './texts.ts'

/** `device` is in words, empty where it can't be told. `cursor`: where the next page begins. */
interface OwnSessionsPage {
  sessions: Array<OwnSession & { device: string; isThisOne: boolean }>
  cursor: string | undefined
  isFirst: boolean
}

/** Where one is signed in: each browser, with a way to end it, and one to end all others. */
export function ownSessionsPage(context: PageContext, { sessions, cursor, isFirst }: OwnSessionsPage): string {
  const { language } = context
  const { ownSessions: words, own } = texts[language]
  const shown = sessions.map(({ id, device, isThisOne, ip, createdAt, lastSeenAt, products }) => {
    const heading = device || words.unknownDevice
    const named = words.endOf(heading, momentWords(createdAt, language))
    return {
      heading,
      tag: isThisOne ? ({ text: words.thisOne, look: 'good' } as const) : undefined,
      facts: [
        { label: words.ip, value: plain(ip) },
        { label: words.begun, value: moment(createdAt, language) },
        { label: words.lastSeen, value: moment(lastSeenAt, language) },
        { label: words.products, value: products.length === 0 ? undefined : plain(products.join(', ')) },
      ],
      action: isThisOne ? undefined : buttonForm('/account/sessions/end', { label: words.end, named, fields: { session: id } }),
    }
  })
  const hasOthers = !isFirst || cursor !== undefined || sessions.some(({ isThisOne }) => !isThisOne)
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
!${entries(shown, own.empty)}
!${hasOthers ? buttonForm('/account/sessions/end-others', { label: words.endOthers }) : ''}
!${pager(context, '/account/sessions', { cursor, isFirst })}
<p class="note">${words.lag} ${own.times}</p>
!${foot(context)}`
  return layout(context, { title: words.title, body })
}
