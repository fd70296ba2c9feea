import { accountPages } from './account-pages.ts'
import { describePages } from './every-page.ts'
import { myAccountPages } from './my-account-pages.ts'

describePages('The pages of sign-up, recovery and the own account', Object.keys({ ...accountPages, ...myAccountPages }))
