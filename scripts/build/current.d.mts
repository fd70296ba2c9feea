/** Whether the console is built, and newer than its sources. */
export function isConsoleCurrent(): boolean

/** Whether the client is packed, and its package newer than its sources. */
export function isClientPackageCurrent(): boolean
