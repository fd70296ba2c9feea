import type { Page } from 'playwright-core'
import type { Role } from '../../../server/src/admin/index.ts'
import type { PathOf, ShownShop } from '../console-pages.ts'

/** One state of a page of the console: where it is, and what is done there until it looks so. */
export interface ConsoleState {
  path: PathOf
  act?: (page: Page, shop: ShownShop) => Promise<unknown>
  /** The owner's, unless it says otherwise. */
  role?: Role
  /** The service is played in part: what the console has learned so is forgotten afterwards. */
  isFaked?: true
  /** Where nothing more comes in this state, though the page shows that it waits. */
  isWaiting?: true
}

export type ConsoleStates = Readonly<Record<string, ConsoleState>>

/** Has the service answer an address with a fault, until the next state. */
export function failing(address: string): (page: Page) => Promise<unknown> {
  return (page) => page.route(address, (route) => route.fulfill({ status: 503, json: { error: 'Servico indisponivel, tente novamente' } }))
}

/** Has the service not answer an address, until the next state. */
export function hanging(address: string): (page: Page) => Promise<unknown> {
  return (page) => page.route(address, () => undefined)
}
