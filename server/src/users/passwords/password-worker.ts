import { parentPort } from 'node:worker_threads'
import type { JudgeAnswer, JudgeQuestion } from './judge-password.ts'
import { findWeakness } from './password-strength.ts'

// The thread that judges passwords. It answers each question by its number.
parentPort?.on('message', (question: JudgeQuestion) => void answer(question))

async function answer({ id, password, personal }: JudgeQuestion): Promise<void> {
  parentPort?.postMessage({ id, weakness: await findWeakness(password, personal) } satisfies JudgeAnswer)
}
