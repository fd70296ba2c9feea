import { describePages } from './every-page.ts'

describePages('en')
