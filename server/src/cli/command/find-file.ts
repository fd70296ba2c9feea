import { access, constants, stat } from 'node:fs/promises'
import { reasonOf } from './faults.ts'
import { visible } from './layout.ts'

/**
 * The size in bytes of a file that can be read, or why it can't be, as a sentence that names it. `name`: what it is called there, where
 * that is not its path.
 */
export async function findFile(file: string, name = file): Promise<{ size: number } | { why: string }> {
  try {
    const found = await stat(file)
    if (!found.isFile()) return { why: `${visible(name)} is no file` }
    await access(file, constants.R_OK)
    return { size: found.size }
  } catch (fault) {
    return { why: whyUnreadable(fault, visible(name)) }
  }
}

function whyUnreadable(fault: unknown, name: string): string {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no file ${name}`
  return code === 'EACCES' || code === 'EPERM' ? `${name} may not be read by this user` : `${name} can't be read (${reasonOf(fault)})`
}
