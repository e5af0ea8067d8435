/** A browser may open its database later than the page waits for it. Resolves once what was put into memory
 * until then lies there, as far as no other tab has written a newer record; whether it is kept from here on. */
export async function keepsAfterAll(device) {
  const { opening } = device;
  device.opening = null; // once
  const database = await opening;
  if (!database || device.keeps) return false;
  const isMoved = await new Promise((done) => device.take(database, (memory) => move(memory, database, done)));
  if (!isMoved) device.take(null, () => {});
  return isMoved;
}

/** Whatever the page does from now on comes behind it: the browser keeps the order. */
function move(memory, database, done) {
  const stores = Object.keys(memory);
  const moving = database.transaction(stores, "readwrite");
  for (const store of stores) moveRecords(memory[store], moving.objectStore(store));
  moving.oncomplete = () => {
    for (const store of stores) memory[store].clear();
    done(true);
  };
  moving.onabort = () => done(false);
}

function moveRecords(own, records) {
  for (const [key, value] of own) {
    const read = records.get(key);
    read.onsuccess = () => {
      if (!(read.result?.at > value.at)) records.put(value, key);
    };
  }
}
