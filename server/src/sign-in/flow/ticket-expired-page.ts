import { html } from 'ghtml'
import { badge, elsewhere, type Href, layout, ownHref, type PageContext, texts } from '../../pages/index.ts'

/** `what` names the link's purpose; `beginUrl` is where another can be requested. */
interface TicketGonePage {
  beginUrl: Href
  what: 'sign_up' | 'reset_password' | 'invitation' | 'report_sign_in' | 'change_email' | 'undo_deletion'
}

/** For a 400: a mailed link that was used, has expired, or never existed. */
export function ticketExpiredPage(context: PageContext, { beginUrl, what }: TicketGonePage): string {
  const { ticketExpired: labels, login } = texts[context.language]
  const { lead, begin, already } = labels[what]
  const body = html`!${badge('clock')}<h1>${labels.title}</h1>
<p class="lead">${lead}</p>
<div class="actions"><a class="button" href="${beginUrl}">${begin}</a></div>
!${beginUrl === ownHref('/login') ? '' : elsewhere(already, { label: login.submit, href: ownHref('/login') })}`
  return layout(context, { title: labels.title, body, problem: true })
}
