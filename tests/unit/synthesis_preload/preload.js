// Loaded by Node at its start: another clock, and no network. Attempts are recorded, for code may swallow errors.
const fs = require("fs");
const refuse = (...args) => {
  fs.appendFileSync(process.env.ATTEMPTS, `node ${JSON.stringify(args[0])}\n`);
  throw new Error("no network in this test");
};
require("net").Socket.prototype.connect = refuse;
require("dns").lookup = refuse;

const shift = Number(process.env.CLOCK_SHIFT || 0) * 1000;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length) super(...args);
    else super(RealDate.now() + shift);
  }
  static now() {
    return RealDate.now() + shift;
  }
};
