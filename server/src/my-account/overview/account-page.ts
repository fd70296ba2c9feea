import { html } from 'ghtml'
import { type Href, icon, ownHref, type PageContext, type Texts, texts, userCard } from '../../pages/index.ts'
import { accountLayout, formatAgo, formatPhone, unverifiedNotice } from '../components.ts'
import { type AppTile, appTiles } from './app-tiles-page.ts'
import type { Overview } from './overview-store.ts'

interface AccountPage {
  name: string
  email: string
  isVerified: boolean
  /** The path of the user's own picture. */
  picture: string | undefined
  /** Masked. */
  taxId: string | undefined
  mayCorrectTaxId: boolean
  phone: string | undefined
  companyName: string | undefined
  planSlug: string | undefined
  hasRole: boolean
  overview: Overview
  apps: readonly AppTile[]
  now: number
  signOutUrl: Href
}

/**
 * The first page of a user's own account: who is signed in, their apps, how things stand on all other pages, and the sign-out. That is a
 * link, since a form-action policy stops a POST's redirect to another origin.
 */
export function accountPage(context: PageContext, account: AccountPage): string {
  const all = texts[context.language]
  const { account: labels } = all
  const sections = context.impersonation ? shownSections(all, account) : accountSections(context, all, account)
  const signOut = html`<div class="actions"><a class="button button-secondary" href="${account.signOutUrl}">${labels.signOut}</a></div>`
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${userCard(account)}!${account.isVerified ? '' : unverifiedNotice(context)}
!${appTiles(context, account.apps)}
<nav aria-label="${labels.settings}">
!${sections}
!${account.hasRole && !context.impersonation ? section(all.own.sections.administration, [{ path: '/admin', icon: 'door', label: all.own.console }]) : ''}</nav>
!${context.impersonation ? '' : signOut}`
  return accountLayout(context, { title: labels.title, body })
}

interface Row {
  /** Without one it only shows. */
  path?: `/${string}`
  icon: Parameters<typeof icon>[0]
  label: string
  /** How it stands. */
  state?: string | undefined
}

function accountSections(context: PageContext, all: Texts, account: AccountPage): string[] {
  const { account: labels, own, ownStates: states } = all
  const { overview } = account
  return [
    section(own.sections.profile, [
      { path: '/account/profile', icon: 'user', label: all.ownProfile.title, state: contactOf(account) },
      { path: '/account/tax-id', icon: 'paper', label: own.taxId, state: taxIdState(states, account) },
      { path: '/account/language', icon: 'globe', label: own.language, state: all.ownLanguage.name },
    ]),
    section(own.sections.signIn, [
      { path: '/account/password', icon: 'lock', label: labels.changePassword, state: passwordState(context, all, account) },
      { path: '/account/email', icon: 'mail', label: labels.changeEmail, state: account.isVerified ? states.verified : states.unverified },
      {
        path: '/account/second-factor',
        icon: 'shield',
        label: own.secondFactorSettings,
        state: overview.secondFactorSince === undefined ? states.off : states.on,
      },
      { path: '/account/passkeys', icon: 'key', label: own.passkeys, state: states.passkeys(overview.passkeys) },
      { path: '/account/providers', icon: 'door', label: own.providers, state: states.providers(overview.providers) },
    ]),
    section(own.sections.activity, activityRows(all, account)),
    section(own.sections.privacy, [
      { path: '/account/consents', icon: 'check', label: own.consents, state: states.sharings(overview.sharings) },
      { path: '/account/data', icon: 'download', label: own.data },
      { path: '/account/delete', icon: 'bin', label: own.delete },
    ]),
  ]
}

/** The pages that are open during an impersonation; the user's own data stand as text, since nobody else changes them. */
function shownSections(all: Texts, account: AccountPage): string[] {
  const { own, ownStates: states } = all
  const { overview } = account
  return [
    section(own.sections.profile, [
      { icon: 'user', label: all.ownProfile.title, state: contactOf(account) },
      { icon: 'paper', label: own.taxId, state: account.taxId ?? states.missing },
    ]),
    section(own.sections.signIn, [
      { path: '/account/providers', icon: 'door', label: own.providers, state: states.providers(overview.providers) },
    ]),
    section(own.sections.activity, activityRows(all, account)),
    section(own.sections.privacy, [
      { path: '/account/consents', icon: 'check', label: own.consents, state: states.sharings(overview.sharings) },
    ]),
  ]
}

function activityRows({ own, ownStates: states }: Texts, { overview, planSlug }: AccountPage): Row[] {
  return [
    { path: '/account/sessions', icon: 'clock', label: own.sessions, state: states.sessions(overview.sessions) },
    { path: '/account/purchases', icon: 'card', label: own.purchases, state: planSlug ?? states.noPlan },
  ]
}

function contactOf({ phone, companyName }: AccountPage): string | undefined {
  const shown = [phone && formatPhone(phone), companyName].filter((text) => text)
  return shown.length === 0 ? undefined : shown.join(' · ')
}

function taxIdState(states: Texts['ownStates'], { taxId, mayCorrectTaxId }: AccountPage): string {
  if (taxId === undefined) return states.missing
  return mayCorrectTaxId ? `${taxId} · ${states.oneChange}` : taxId
}

function passwordState({ language }: PageContext, { ownStates: states }: Texts, { overview, now }: AccountPage): string {
  if (!overview.hasPassword) return states.noPassword
  const { passwordChangedAt } = overview
  return passwordChangedAt === undefined ? states.passwordSet : states.passwordChanged(formatAgo(passwordChangedAt, now, language))
}

function section(heading: string, rows: readonly Row[]): string {
  const items = rows.map(({ path, icon: mark, label, state }) => {
    const text = html`!${icon(mark)}<span>${label}!${state === undefined ? '' : html` <span class="state">${state}</span>`}</span>`
    return path === undefined ? html`<li><div>!${text}</div></li>` : html`<li><a href="${ownHref(path)}">!${text}</a></li>`
  })
  return html`<h2 class="section">${heading}</h2><ul class="choices">!${items}</ul>`
}
