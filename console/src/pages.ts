import { auditPages } from './audit/index.ts'
import type { PageGroup } from './page-group.ts'
import { plansPages } from './plans/index.ts'

/** All page groups, in the order of the menu: add yours here. */
export const pageGroups: readonly PageGroup[] = [plansPages, auditPages]
