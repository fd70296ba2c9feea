// Started by browser.ts in a process of its own, because the package reads its environment, and changes it, when it is imported.
import chromium from '@sparticuz/chromium'

await chromium.executablePath()
