import { html } from 'ghtml'
import { isHref, ownHref } from './href.ts'
import { layout, type PageContext } from './layout.ts'
import { pageTexts } from './layout-texts.ts'

/** The error as HTTP status; `title` and `message` where the caller has better words than the status' own. */
interface ErrorReport {
  status: number
  /** The database is being copied to another one. */
  isMoving?: boolean
  title?: string
  message?: string
  requestId?: string
}

/** A page that says what happened and what to do, in plain words, with the code that finds the request in the logs. */
export function errorPage(context: PageContext, { status, isMoving = false, title, message, requestId }: ErrorReport): string {
  const texts = pageTexts[context.language]
  const labels = texts[isMoving ? 'moving' : labelFor(status)]
  const heading = title ?? labels.title
  const onward =
    isMoving && isHref(context.here) ? { href: context.here, label: texts.tryAgain } : { href: ownHref('/'), label: texts.goHome }
  const code = requestId === undefined ? '' : html`<p class="note">${texts.requestId} <code>${requestId}</code></p>`
  const body = html`<h1>${heading}</h1>
<p class="lead">${message ?? labels.message}</p>
<div class="actions"><a class="button button-secondary" href="${onward.href}">${onward.label}</a></div>
!${code}`
  return layout(context, { title: heading, body, problem: !isMoving })
}

function labelFor(status: number) {
  if (status === 403) return 'forbidden'
  if (status === 404) return 'notFound'
  if (status === 413 || status === 431) return 'tooLarge'
  if (status === 429) return 'tooMany'
  if (status === 503) return 'away'
  return status >= 500 ? 'fault' : 'badRequest'
}
