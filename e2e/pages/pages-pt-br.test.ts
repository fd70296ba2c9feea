import { describePages } from './every-page.ts'

describePages('pt-BR')
