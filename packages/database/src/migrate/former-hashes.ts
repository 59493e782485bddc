/** SHA-256 of migrations, by number, as installations applied them before a comment in the file was reworded. */
export const formerHashes: Readonly<Record<number, string>> = {
  2: 'fdf945ef39427e2123430a77cf5a4469e974a36623789b7cbed6c8347c358b27',
  8: 'd5eb201dd597cb954a6129bc4441d34af3079d0f57bd5bd058b956024adb80d9',
  11: '9895a53b308e4bd87c627441ee462ef1fe9bb5f316204bf82cc5c9e464d9bf68',
  16: '78aa656a455ab89540b94733202bf2ec651082694a2ac7a22a9252a4995acf62',
  18: '8703e987b9b7e40f0f9a132faa658a184ab094cf1da651785c043e9f63687b18',
};
