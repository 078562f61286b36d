// Adds a row to the board "default" and prints the rows, with code that qdbusxml2cpp generates.
//
//   rows TEXT

#include "board.h"

#include <QCoreApplication>
#include <QTextStream>

int main(int count, char **arguments) {
    QCoreApplication application(count, arguments);
    QTextStream errors(stderr), output(stdout);
    if (count != 2) {
        errors << "usage: rows TEXT\n";
        return 64;
    }
    registerDragboardTypes();
    BoardProxy board(
        "org.dragboard.Dragboard1", "/org/dragboard/Dragboard1/board/default",
        QDBusConnection::sessionBus());

    auto inserted = board.InsertText(0, -1, application.arguments().at(1));
    inserted.waitForFinished();
    if (inserted.isError()) {
        errors << "rows: " << inserted.error().message() << "\n";
        return 1;
    }
    auto page = board.GetRows(0, 0, 100);
    page.waitForFinished();
    if (page.isError()) {
        errors << "rows: " << page.error().message() << "\n";
        return 1;
    }
    for (const DragboardRow &row : page.argumentAt<1>()) {
        output << row.preview << " (" << row.attributes["size"].toULongLong() << " bytes)\n";
    }
    return 0;
}
