/** Where who has to sign in, or to prove once more who they are, comes back to. A page below another stands after it. */
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
  '/account/providers',
  '/account/purchases',
  '/account/sessions',
  '/account/second-factor',
  '/confirm-email',
] as const

/** Where a sign-in to the operator's console ends: at the console, or at the page that says that its user has authenticated. */
const CONSOLE_PAGES = ['/admin', '/admin/authenticated'] as const
export const RETURN_PAGES = [...ACCOUNT_PAGES, ...CONSOLE_PAGES] as const

/** One of our own pages, with what its address said. */
export interface ReturnPage {
  page: (typeof RETURN_PAGES)[number]
  query: Readonly<Record<string, string>>
}

/** What these pages read of their address; anything else would only make ours longer. */
const QUERY = ['cursor', 'id', 'lang', 'ticket']
/** Passkeys' ids are the longest: 1,023 bytes in base64url (WebAuthn §5.8.3). */
const LONGEST = 1_364

/** The page at a path, with its query; for the address of a form the page that it is on. */
export function returnPageOf(path: string, query: URLSearchParams): ReturnPage {
  const page = ACCOUNT_PAGES.findLast((one) => path === one || path.startsWith(`${one}/`)) ?? '/account'
  const kept = [...query].filter(([name, value]) => page === path && QUERY.includes(name) && value.length <= LONGEST)
  return { page, query: Object.fromEntries(kept) }
}

export function isConsolePage({ page }: ReturnPage): boolean {
  return CONSOLE_PAGES.some((known) => known === page)
}
