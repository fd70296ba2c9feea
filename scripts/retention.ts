// `npx node scripts/retention.ts` writes docs/operate/watch.md: how long the rows of each table are kept.
import { readFileSync, writeFileSync } from 'node:fs'
import { describeRetention } from '../server/src/storage/index.ts'

const page = new URL('../docs/operate/watch.md', import.meta.url)
const text = readFileSync(page, 'utf8')
writeFileSync(
  page,
  text.replace(/\| table \| kept \|\n(?:\|.*\n)+/, () => `${describeRetention()}\n`),
)
