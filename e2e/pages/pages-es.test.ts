import { describePages } from './every-page.ts'

describePages('es')
