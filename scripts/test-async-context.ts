// To be imported before `node:test`, which asks for the current test wherever `after` or `it` is called. It finds it by hooks that follow
// every promise of the process: a tenth of what the tests took of the CPU. The store that Node itself hands on from promise to promise
// knows it, too.
import hooks, { AsyncLocalStorage, type AsyncResource, type HookCallbacks } from 'node:async_hooks'

const real = { createHook: hooks.createHook, executionAsyncId: hooks.executionAsyncId }

/** The number of the test, hook or suite whose function runs. */
const current = new AsyncLocalStorage<number>()

hooks.executionAsyncId = () => current.getStore() ?? real.executionAsyncId()

hooks.createHook = ({ init }: HookCallbacks) =>
  real.createHook({
    trackPromises: false,
    init(id, type, trigger, resource) {
      if (type !== 'Test') return
      init?.(id, type, trigger, resource)
      const test = resource as AsyncResource
      const run = test.runInAsyncScope.bind(test)
      test.runInAsyncScope = (call, self, ...given) =>
        run((...own: typeof given) => current.run(id, () => call.apply(self as never, own)), undefined, ...given)
    },
  })
