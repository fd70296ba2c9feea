// `npm start` and `npm run build`: the console and the client's package, each where it is missing or older than its sources. One program:
// to start a second one takes longer than to find that nothing is to be done.
import { packClientIfPossible } from './client-package.ts'
import { buildConsoleIfPossible } from './console.ts'

await packClientIfPossible()
await buildConsoleIfPossible()
