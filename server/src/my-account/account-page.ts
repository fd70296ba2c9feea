import { html } from 'ghtml'
import { type Href, icon, ownHref, type PageContext, texts, userCard } from '../pages/index.ts'
import { accountLayout, details, plain } from './components.ts'

interface AccountPage {
  name: string
  email: string
  /** Masked. */
  taxId: string | undefined
  phone: string | undefined
  companyName: string | undefined
  planSlug: string | undefined
  hasRole: boolean
  signOutUrl: Href
}

/**
 * The first page of a user's own account: who is signed in, links to all other pages, and the sign-out. That is a link, since a form-action
 * policy stops a POST's redirect to another origin.
 */
export function accountPage(context: PageContext, account: AccountPage): string {
  const { account: labels, own } = texts[context.language]
  const facts = [
    { label: own.taxId, value: account.taxId },
    { label: own.phone, value: account.phone && formatPhone(account.phone) },
    { label: own.company, value: account.companyName },
    { label: own.plan, value: account.planSlug },
  ]
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${userCard(account)}
!${details(facts.map(({ label, value }) => ({ label, value: value === undefined ? undefined : plain(value) })))}
<nav aria-label="${labels.settings}">
!${context.impersonation ? shownSections(own) : accountSections(labels, own)}
!${account.hasRole && !context.impersonation ? consoleSection(own) : ''}</nav>
!${context.impersonation ? '' : html`<div class="actions"><a class="button button-secondary" href="${account.signOutUrl}">${labels.signOut}</a></div>`}`
  return accountLayout(context, { title: labels.title, body })
}

/** A Brazilian number in its national form, any other as stored. */
function formatPhone(phone: string): string {
  return phone.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, '+55 $1 $2-$3')
}

type Labels = (typeof texts)['pt-BR']

function accountSections(labels: Labels['account'], own: Labels['own']): string[] {
  return [
    section(own.sections.signIn, [
      { path: '/account/password', icon: 'lock', label: labels.changePassword },
      { path: '/account/email', icon: 'mail', label: labels.changeEmail },
      { path: '/account/second-factor', icon: 'shield', label: own.secondFactorSettings },
      { path: '/account/passkeys', icon: 'key', label: own.passkeys },
      { path: '/account/providers', icon: 'door', label: own.providers },
    ]),
    section(own.sections.activity, [
      { path: '/account/sessions', icon: 'clock', label: own.sessions },
      { path: '/account/purchases', icon: 'card', label: own.purchases },
    ]),
    section(own.sections.privacy, [
      { path: '/account/consents', icon: 'paper', label: own.consents },
      { path: '/account/language', icon: 'globe', label: own.language },
      { path: '/account/data', icon: 'download', label: own.data },
      { path: '/account/delete', icon: 'bin', label: own.delete },
    ]),
  ]
}

/** The links that are open during an impersonation. */
function shownSections(own: Labels['own']): string[] {
  return [
    section(own.sections.signIn, [{ path: '/account/providers', icon: 'door', label: own.providers }]),
    section(own.sections.activity, [
      { path: '/account/sessions', icon: 'clock', label: own.sessions },
      { path: '/account/purchases', icon: 'card', label: own.purchases },
    ]),
    section(own.sections.privacy, [{ path: '/account/consents', icon: 'paper', label: own.consents }]),
  ]
}

function consoleSection(own: Labels['own']): string {
  return section(own.sections.administration, [{ path: '/admin', icon: 'door', label: own.console }])
}

function section(heading: string, links: Array<{ path: `/${string}`; icon: Parameters<typeof icon>[0]; label: string }>): string {
  const items = links.map(({ path, icon: mark, label }) => html`<a href="${ownHref(path)}">!${icon(mark)}<span>${label}</span></a>`)
  return html`<h2 class="section">${heading}</h2><div class="choices">!${items}</div>`
}
