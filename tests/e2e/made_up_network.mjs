// A large network of made-up weights, made in the page itself: too large to be handed over by the test's own channel.

/** Drops a `.pb` with so many filters and blocks, all of whose weights are -1, into the page. */
export async function dropMadeUp(page, name, filters, blocks) {
  const transfer = await page.evaluateHandle(
    ([name, filters, blocks]) => {
      // A message is a list of byte arrays with their length, so that large zeros are shared and not copied.
      const bytes = (...values) => ({ length: values.length, parts: [Uint8Array.from(values)] });
      const join = (...all) => ({ length: all.reduce((n, one) => n + one.length, 0), parts: all.flatMap((one) => one.parts) });
      const varint = (n) => {
        const digits = [];
        for (; n > 127; n = Math.floor(n / 128)) digits.push((n % 128) + 128);
        return bytes(...digits, n);
      };
      const field = (number, body) => join(varint(number * 8 + 2), varint(body.length), body);
      const range = bytes(0x0d, 0, 0, 0x80, 0xbf, 0x15, 0, 0, 0x80, 0x3f);
      const layer = (number, count) => field(number, join(range, field(3, { length: 2 * count, parts: [new Uint8Array(2 * count)] })));
      const convolution = (number, inputs, outputs, size) =>
        field(number, join(layer(1, inputs * outputs * size * size), layer(2, outputs)));
      const block = field(2, join(convolution(1, filters, filters, 3), convolution(2, filters, filters, 3)));
      const weights = join(
        convolution(1, 112, filters, 3),
        ...Array(blocks).fill(block),
        convolution(3, filters, 80, 3),
        convolution(6, filters, 32, 1),
        layer(7, 32 * 64 * 128),
        layer(8, 128),
        layer(9, 128 * 3),
        layer(10, 3),
        convolution(11, filters, filters, 3),
      );
      // Residual blocks, a policy of planes; win, draw and loss.
      const format = field(4, field(2, bytes(8, 1, 16, 2, 24, 3, 32, 2, 40, 2)));
      const file = join(bytes(0x0d, 0xc0, 0x01, 0, 0), format, field(10, weights));
      const transfer = new DataTransfer();
      transfer.items.add(new File(file.parts, name));
      return transfer;
    },
    [name, filters, blocks],
  );
  await page.locator(".network").dispatchEvent("drop", { dataTransfer: transfer });
}

/** Drops a `.pb` that says it has so many bytes of weights, and has none. */
export async function dropHeader(page, name, bytes) {
  const transfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const length = [];
      for (; bytes > 127; bytes = Math.floor(bytes / 128)) length.push((bytes % 128) + 128);
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from([0x0d, 0xc0, 0x01, 0, 0, 0x52, ...length, bytes])], name));
      return transfer;
    },
    [name, bytes],
  );
  await page.locator(".network").dispatchEvent("drop", { dataTransfer: transfer });
}
