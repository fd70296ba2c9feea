import { html } from 'ghtml'
import { type PageContext, texts } from '../../pages/index.ts'
import type { OwnSession } from '../../sessions/index.ts'
import { accountLayout, buttonForm, entries, foot, formatMoment, moment, pager, plain } from '../components.ts'

/** `device` is in words, empty where unknown. `cursor`: where the next page begins. */
interface OwnSessionsPage {
  sessions: Array<OwnSession & { device: string; isThisOne: boolean }>
  cursor: string | undefined
  isFirst: boolean
}

/** The browsers where the user is signed in: each with a button to end it, and one to end all others. */
export function sessionsPage(context: PageContext, { sessions, cursor, isFirst }: OwnSessionsPage): string {
  const { language } = context
  const { ownSessions: labels, own } = texts[language]
  const shown = sessions.map(({ id, device, isThisOne, isSupports, ip, createdAt, lastSeenAt, products }) => {
    const heading = isSupports ? labels.support : device || labels.unknownDevice
    const named = labels.endOf(heading, formatMoment(createdAt, language))
    return {
      heading,
      tag: isThisOne ? ({ text: labels.thisOne, look: 'good' } as const) : undefined,
      facts: [
        { label: labels.ip, value: isSupports ? undefined : plain(ip) },
        { label: labels.begun, value: moment(createdAt, language) },
        { label: labels.lastSeen, value: isSupports ? undefined : moment(lastSeenAt, language) },
        { label: labels.products, value: products.length === 0 ? undefined : plain(products.join(', ')) },
      ],
      note: isSupports ? labels.supportNote : undefined,
      action:
        isThisOne || context.impersonation
          ? undefined
          : buttonForm('/account/sessions/end', { label: labels.end, named, fields: { session: id } }),
    }
  })
  const hasOthers = !isFirst || cursor !== undefined || sessions.some(({ isThisOne }) => !isThisOne)
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${entries(shown, own.empty)}
!${hasOthers && !context.impersonation ? buttonForm('/account/sessions/end-others', { label: labels.endOthers }) : ''}
!${pager(context, '/account/sessions', { cursor, isFirst })}
<p class="note">${labels.lag} ${own.times}</p>
!${foot(context)}`
  return accountLayout(context, { title: labels.title, body })
}
