/** A user who has to sign in, or to authenticate again, may come back to these pages. A subpage stands after its parent. */
export const ACCOUNT_PAGES = [
  '/account',
  '/account/consents',
  '/account/data',
  '/account/delete',
  '/account/email',
  '/account/language',
  '/account/passkeys',
  '/account/passkeys/change',
  '/account/password',
  '/account/profile',
  '/account/providers',
  '/account/purchases',
  '/account/sessions',
  '/account/second-factor',
  '/account/tax-id',
  '/confirm-email',
] as const

/** A sign-in to the console ends here: at the console, or at the page that confirms the authentication. */
const CONSOLE_PAGES = ['/admin', '/admin/authenticated'] as const
export const RETURN_PAGES = [...ACCOUNT_PAGES, ...CONSOLE_PAGES] as const

/** One of our own pages, with the query of its address. */
export interface ReturnPage {
  page: (typeof RETURN_PAGES)[number]
  query: Readonly<Record<string, string>>
}

/** The query parameters that these pages read; all others are dropped. */
const QUERY = ['cursor', 'id', 'lang', 'ticket']
/** Passkeys' ids are the longest: 1,023 bytes in base64url (WebAuthn §5.8.3). */
const LONGEST = 1_364

/** The page at a path, with its query; for a form's address the page of that form. */
export function returnPageOf(path: string, query: URLSearchParams): ReturnPage {
  const page = ACCOUNT_PAGES.findLast((one) => path === one || path.startsWith(`${one}/`)) ?? '/account'
  const kept = [...query].filter(([name, value]) => page === path && QUERY.includes(name) && value.length <= LONGEST)
  return { page, query: Object.fromEntries(kept) }
}

export function isConsolePage({ page }: ReturnPage): boolean {
  return CONSOLE_PAGES.some((known) => known === page)
}

/** Whether a sign-in ends at the link that confirms an address of an account: whoever came by it has that account. */
export function confirmsAddress({ next }: { next: ReturnPage | undefined }): boolean {
  return next?.page === '/confirm-email'
}
