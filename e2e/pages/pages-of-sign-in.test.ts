import { accountPages } from './account-pages.ts'
import { describePages } from './every-page.ts'
import { myAccountPages } from './my-account-pages.ts'
import { pages } from './pages.ts'

describePages(
  'The pages of the sign-in, and all others',
  Object.keys(pages).filter((name) => !(name in accountPages) && !(name in myAccountPages)),
)
